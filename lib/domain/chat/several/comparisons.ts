import { toWords } from '../comparable-text.ts';
import type { KnownTruck } from '../known-facts.ts';
import type { Claim } from '../truck-claims.ts';

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

const SEVERAL = / (?:both|each|all|they|these|those|ambos|ambas|todos|cada|ellos|2|tous|chaque|ils|elles) /;
const FROM = / (?:start|starts|from|range|desde|empiezan|partir) /;
const ARTICLE = '(?:(?:the|our|a|el|la|los|un|una|le|les|une|nuestro|notre) )?';
const TOGETHER = new RegExp(` (?:with|con|avec|plus) ${ARTICLE}$`);
const JOINED = new RegExp(` (?:and|y|e|et|with|con|avec|plus) ${ARTICLE}$`);

const isExactPrice = (claim: Claim) => claim.kind === 'price' && claim.bound === 'exact';

/** `$68,900 for both`, `the Cascadia and the T680 are $68,900`: one price said of several trucks. */
export function sharesPrice(text: string, groups: readonly (readonly Claim[])[], isNamed: boolean): boolean {
  const prices = groups.flat().filter(isExactPrice);
  if (prices.length !== 1) return false;
  const words = toWords(text);
  if (!isNamed) return SEVERAL.test(words) && !FROM.test(words);
  return groups.some((group, at) => {
    const next = groups[at + 1] ?? [];
    const between = text.slice(group.at(-1)?.at ?? 0, next[0]?.at ?? 0).toLowerCase();
    if (next.length === 0) return false;
    if (next.some(isExactPrice)) return !group.some((claim) => 'bound' in claim) && JOINED.test(between);
    return group.some(isExactPrice) && !next.some((claim) => 'bound' in claim) && TOGETHER.test(between);
  });
}

/** `Would you like it for less than $60,000?` offers; `Are you looking for trucks under $60,000?` asks. */
export const offersPrice = (text: string, claims: readonly Claim[]): boolean =>
  claims.some((claim) => claim.kind === 'price' && claim.bound !== 'exact') &&
  / (?:it|this|that|lo|este|ese|(?:el|le|ce|cet) camion|how about) /.test(toWords(text));
