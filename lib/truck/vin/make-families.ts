/** Makes that share plants or badges, so that a VIN of one is no surprise on the other. */
const FAMILIES: readonly ReadonlySet<string>[] = [
  new Set(['Dodge', 'Ram', 'Chrysler', 'Jeep']),
  new Set(['Chevrolet', 'GMC', 'Isuzu', 'Workhorse']),
  new Set([
    'Freightliner',
    'Freightliner Custom Chassis',
    'Mercedes-Benz',
    'Dodge',
    'Sterling',
    'Western Star',
    'Thomas Built',
  ]),
  new Set(['International', 'IC Bus', 'Ford', 'Chevrolet']),
  new Set(['Volvo', 'WhiteGMC', 'GMC', 'Mack', 'Autocar']),
  new Set(['Nissan', 'UD']),
  new Set(['Crane Carrier', 'Battle Motors']),
];

/** True when a truck of one make may have a VIN of the other. */
export const mayShareVins = (one: string, other: string): boolean =>
  one === other || FAMILIES.some((family) => family.has(one) && family.has(other));
