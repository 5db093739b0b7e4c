import type { Withheld } from '../market-words.ts';
import { type FromSeller, findWithheld, type Quantity, roundTo, STEPS } from './market-rule.ts';

/** Quantiles, means and ends of a sample. */

export const QUANTILES = { p10: 0.1, p25: 0.25, p50: 0.5, p75: 0.75, p90: 0.9 } as const;
export type QuantileName = keyof typeof QUANTILES;
const QUANTILE_NAMES = Object.keys(QUANTILES) as QuantileName[];

export type Figures = { count: number } & Record<QuantileName | 'mean' | 'min' | 'max', number | null>;

/** By linear interpolation between neighbours (SQL's percentile_cont). */
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

/** What is known of a sample before rounding; numbers are null when it is empty. */
export interface Spread {
  count: number;
  quantiles: readonly number[] | null;
  mean: number | null;
  min: number | null;
  max: number | null;
}

function computeSpread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  if (count === 0) return EMPTY;
  return {
    count,
    quantiles: QUANTILE_NAMES.map((name) => computeQuantile(sorted, QUANTILES[name])),
    mean: sorted.reduce((sum, value) => sum + value, 0) / count,
    min: sorted[0] ?? null,
    max: sorted.at(-1) ?? null,
  };
}

export const EMPTY: Spread = { count: 0, quantiles: null, mean: null, min: null, max: null };

/** Figures in whole steps. */
export function toFigures({ count, quantiles, mean, min, max }: Spread, step = 1): Figures {
  const figure = (value: number | null | undefined) => (value == null ? null : roundTo(value, step));
  const named = QUANTILE_NAMES.map((name, at) => [name, figure(quantiles?.[at])] as const);
  return {
    count,
    ...(Object.fromEntries(named) as Record<QuantileName, number | null>),
    mean: figure(mean),
    min: figure(min),
    max: figure(max),
  };
}

/** Figures of others' values, which are rounded already; all null where they are withheld. */
export function toMarketFigures(
  values: readonly (FromSeller & { value: number })[],
  quantity: Quantity,
  oneIn = 1,
): Figures & { withheld: Withheld | null } {
  const withheld = findWithheld(values, oneIn > 1);
  const weighing = values.flatMap(({ value, weighsNothing }) => (weighsNothing ? [] : [value]));
  const spread = withheld === null ? computeSpread(weighing) : EMPTY;
  return { ...toFigures(spread, STEPS[quantity]), count: values.length * oneIn, withheld };
}
