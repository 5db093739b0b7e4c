import { type FromSeller, findWithheld, type Quantity, roundTo, STEPS } from './market-rule.ts';

/** Quantiles, mean, minimum and maximum of a sample. */

/** Interpolates linearly between neighbors, as SQL's percentile_cont does. */
export function computeQuantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? low;
  return low + (high - low) * (at - Math.floor(at));
}

export function computeMedian(values: readonly number[]): number {
  return computeQuantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

/** Computes figures from other sellers' rounded values; all are null if they are withheld. */
export function toMarketFigures(
  values: readonly (FromSeller & { value: number })[],
  quantity: Quantity,
  oneIn = 1,
) {
  const withheld = findWithheld(values, oneIn > 1);
  const sorted = values.flatMap((each) => (each.excludedFromSample ? [] : each.value)).sort((a, b) => a - b);
  const figure = (value: number) => (withheld === null ? roundTo(value, STEPS[quantity]) : null);
  const quantile = (share: number) => figure(computeQuantile(sorted, share));
  return {
    count: values.length * oneIn,
    p10: quantile(0.1),
    p25: quantile(0.25),
    p50: quantile(0.5),
    p75: quantile(0.75),
    p90: quantile(0.9),
    mean: figure(sorted.reduce((sum, value) => sum + value, 0) / sorted.length),
    min: quantile(0),
    max: quantile(1),
    withheld,
  };
}

/** Returns the percentage of values below `value`, counting equal ones half. */
export function percentileFor(value: number, values: readonly number[]): number {
  const below = values.filter((other) => other < value).length;
  const equal = values.filter((other) => other === value).length;
  return values.length === 0 ? 0 : Math.round((100 * (below + equal / 2)) / values.length);
}
