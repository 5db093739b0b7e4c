import type { ListingDoc } from '../listing/truck.ts';

/** What a VIN proves to be no truck of Class 3 or above. */

/** World manufacturer identifiers that stand for one kind of thing only; none of them builds trucks. */
const BEGINNINGS: readonly (readonly [kind: string, identifiers: string])[] = [
  [
    'trailer',
    '1UY 1GR 1JJ 1DW 1TT 13N 1PT 1S1 3H3 2M5 527 5V8 1H2 1DT 1W1 1TD 5MA 1E1 1PM 1RN 4U3 1TK 1KK 16V 4P5 3CV 4ZE 4FG 2DE 2LD',
  ],
  ['motorcycle', '1HD 5HD JH2 JYA JY4 JKA JKB JS1 56K 1ME ZDM SMT VBK WB1 9C2'],
  ['machine', 'CAT 1T0 1FF 1LV KMT VCE HCM N8A'],
  [
    'passenger car',
    `1G1 2G1 1G2 1G4 1G6 1HG 2HG 19X JHM 1N4 3N1 JN1 JN8 JTD JTE JTM 4T1 5TD 2T1 2T3 KMH 5NP 5NM KM8 KNA KND 5XX 5XY WBA WBS 5UX
    WDD W1K 55S 4JG WAU WA1 WVW 3VW 1VW JF1 JF2 4S3 4S4 JM1 JM3 5YJ SAL SAJ YV1 YV4 JA3 JA4 ZFF ZAR WP0 WP1 1FA 2C3 1C3 1J4 1J8`,
  ],
];
export const KIND_BY_IDENTIFIER: ReadonlyMap<string, string> = new Map(
  BEGINNINGS.flatMap(([kind, text]) =>
    text
      .trim()
      .split(/\s+/)
      .map((identifier) => [identifier, kind] as const),
  ),
);

/** What the VIN stands for when that is no truck of Class 3 or above; null when it may be one. */
export function notATruck({ vin, vin_facts: facts }: Pick<ListingDoc, 'vin' | 'vin_facts'>): string | null {
  if (facts.check_digit === 'invalid') return null;
  if (facts.vehicle_type === 'passenger_car') return 'passenger car';
  const { truck_class: weightClass } = facts;
  if (weightClass === 'class_1' || weightClass === 'class_2')
    return `vehicle of ${weightClass.replace('class_', 'Class ')}`;
  return facts.vehicle_type === null ? (KIND_BY_IDENTIFIER.get(vin.slice(0, 3)) ?? null) : null;
}

/** True for what is neither a truck by its VIN nor, by a class or weight of its own, by its dealer. */
export function isHiddenAsNoTruck(doc: ListingDoc): boolean {
  const isConfirmed = (doc.class !== null && !doc.derived.includes('class')) || doc.gvwr !== null;
  return !isConfirmed && notATruck(doc) !== null;
}
