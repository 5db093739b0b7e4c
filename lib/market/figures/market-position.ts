import type { Withheld } from '../market-words.ts';
import { computeMedian } from './market-figures.ts';
import { countSellers, type FromSeller, findWithheld, roundTo, STEPS } from './market-rule.ts';

/** How a listing's price stands among others' trucks of its model, model year and class. */
export interface Position {
  /** Others' trucks with a price. */
  count: number;
  sellers: number;
  median_price: number | null;
  /** Share of them that ask less, equal prices counted half, in percent. */
  percentile: number | null;
  withheld: Withheld | null;
}

/** `prices` of a sample of `count` trucks are rounded, so an owner who tries prices learns no more than the rounded ones. */
export function toMarketPosition(
  prices: readonly (FromSeller & { value: number })[],
  count: number,
  price: number | null,
  isSample = false,
): Position {
  const withheld = findWithheld(prices, isSample);
  const values = prices.flatMap(({ value, weighsNothing }) => (weighsNothing ? [] : [value]));
  return {
    count,
    sellers: countSellers(prices),
    median_price: withheld === null ? roundTo(computeMedian(values), STEPS.price) : null,
    percentile: withheld === null && price !== null ? percentileFor(price, values) : null,
    withheld,
  };
}

/** Share of the values below, equal ones counted half, in whole percent. */
export function percentileFor(value: number, values: readonly number[]): number {
  const below = values.filter((other) => other < value).length;
  const equal = values.filter((other) => other === value).length;
  return values.length === 0 ? 0 : Math.round((100 * (below + equal / 2)) / values.length);
}
