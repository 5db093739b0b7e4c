/** Which bodies and cabs are alike enough to compare prices. */

/** Bodies that stand in for each other; every other body is a family of its own. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  tractor: ['sleeper_tractor', 'day_cab_tractor', 'tractor', 'glider'],
  bare_chassis: ['cab_chassis', 'cutaway', 'stripped_chassis'],
  flat: ['flatbed', 'stake_bed', 'landscape'],
};
const FAMILY_BY_BODY = new Map(
  Object.entries(FAMILIES).flatMap(([family, bodies]) => bodies.map((body) => [body, family] as const)),
);

export function bodyFamily(body: string): string {
  return FAMILY_BY_BODY.get(body) ?? body;
}

/** Words of `cab` as dealers write it, by the kind of cab they name. */
const CAB_WORDS: readonly (readonly [kind: CabKind, words: readonly string[]])[] = [
  ['sleeper', ['sleeper', 'raised roof', 'mid roof', 'high roof', 'condo', 'bunk', 'studio']],
  ['day', ['day']],
  ['crew', ['crew', 'double cab', 'mega']],
  ['extended', ['ext', 'super', 'quad', 'king']],
  ['regular', ['reg', 'standard', 'single']],
];
type CabKind = 'sleeper' | 'day' | 'crew' | 'extended' | 'regular' | '';

/** The kind of cab that body and cab name; '' when neither does. */
export function cabKind(body: string | null, cab: string | null): CabKind {
  if (body === 'sleeper_tractor') return 'sleeper';
  if (body === 'day_cab_tractor') return 'day';
  const text = (cab ?? '').toLowerCase();
  return CAB_WORDS.find(([, words]) => words.some((word) => text.includes(word)))?.[0] ?? '';
}
