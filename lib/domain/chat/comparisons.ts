import type { KnownTruck } from './known-facts.ts';

/** What makes one truck more than another, and which way. */
const COMPARISONS: readonly (readonly ['price' | 'mileage' | 'year', 1 | -1, RegExp])[] = [
  ['mileage', -1, / (?:(?:fewer|fewest|least|less) miles|menos millas|(?:le )?moins de milles) /],
  ['mileage', 1, / (?:(?:more|most) miles|mas millas|plus de milles) /],
  [
    'price',
    -1,
    / (?:cheaper|cheapest|(?:less|least) expensive|(?:more|most) affordable|costs? less|mas (?:barato|economico)|cuesta menos|plus abordable|(?:coute )?moins cher) /,
  ],
  ['price', 1, / (?:(?:more|most) expensive|costs? more|mas caro|cuesta mas|(?:coute )?plus cher) /],
  ['year', 1, / (?:newer|newest|mas (?:nuevo|reciente)|plus recent) /],
  ['year', -1, / (?:older|oldest|mas antiguo|plus ancien) /],
];
/** `The cheapest in Texas`: beyond what is known. */
const ELSEWHERE =
  /^(?:in|en|au|de|du|on|anywhere|around|than (?:any|all|other))\b(?! (?:our|nuestro|notre|them|these|the (?:two|three|\d)|ellos))/;

/**
 * The words without their comparisons, or null when one of them is not so.
 *
 * @param named the trucks that each name in the sentence means, in its order
 */
export function withoutComparisons(
  words: string,
  named: readonly (readonly KnownTruck[])[],
  trucks: readonly KnownTruck[],
): string | null {
  const [subject = [], second] = named;
  let rest = words;
  for (const [field, sign, pattern] of COMPARISONS) {
    const match = pattern.exec(rest);
    if (match === null) continue;
    const others = (second ?? trucks).filter((truck) => !subject.includes(truck) && truck[field] !== null);
    const isSo = subject.every((one) =>
      others.every((other) => sign * ((one[field] ?? Number.NaN) - (other[field] ?? 0)) > 0),
    );
    const after = rest.slice(match.index + match[0].length);
    if (subject.length !== 1 || others.length === 0 || !isSo || ELSEWHERE.test(after)) return null;
    rest = `${rest.slice(0, match.index)} ${after}`;
  }
  return rest;
}
