import type { Buckets, Tally } from './market-cell.ts';
import { type FewSellers, firstSellers } from './market-cell.ts';

/** Quantiles, and what of them may be told. */

export const QUANTILES = { p10: 0.1, p25: 0.25, p50: 0.5, p75: 0.75, p90: 0.9 } as const;
export type QuantileName = keyof typeof QUANTILES;
export const QUANTILE_NAMES = Object.keys(QUANTILES) as QuantileName[];

/** A sample's figures before anything is withheld. */
export interface Spread {
  n: number;
  sellers: FewSellers;
  sum: number;
  min: number | null;
  max: number | null;
  /** NaN of an empty sample. */
  quantile(share: number): number;
}

/** By linear interpolation between neighbours (SQL's percentile_cont). */
export function computeQuantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? low;
  return low + (high - low) * (at - Math.floor(at));
}

export function computeSpread(values: readonly { value: number; seller: string }[]): Spread {
  const sorted = values.map(({ value }) => value).sort((a, b) => a - b);
  return {
    n: sorted.length,
    sellers: firstSellers(values.map(({ seller }) => seller)),
    sum: sorted.reduce((sum, value) => sum + value, 0),
    min: sorted[0] ?? null,
    max: sorted.at(-1) ?? null,
    quantile: (share) => computeQuantile(sorted, share),
  };
}

/** The same from a histogram: quantiles are right to the width of a bucket. Counts may be fractions. */
export function spreadOfTally(tally: Tally, buckets: Buckets): Spread {
  return { ...tally, quantile: (share) => quantileOfHistogram(tally, share, buckets) };
}

function quantileOfHistogram({ n, hist, min, max }: Tally, share: number, buckets: Buckets): number {
  const low = min ?? Number.NEGATIVE_INFINITY;
  const high = max ?? Number.POSITIVE_INFINITY;
  // The rank that interpolation between neighbours asks for, as a place on a line where each value covers a unit.
  const place = (n - 1) * share + 0.5;
  let below = 0;
  for (const [bucket, count] of hist) {
    if (below + count >= place)
      return Math.min(high, Math.max(low, buckets.at(bucket, Math.max(0, place - below) / count)));
    below += count;
  }
  const last = hist.at(-1);
  return last ? Math.min(high, buckets.at(last[0], 1)) : Number.NaN;
}

/** Fewest listings and sellers of any statistic that is not about the caller's own listings alone. */
export const FEWEST = { listings: 5, sellers: 2 } as const;
/** Below this many listings or sellers a sample is small: no ends, and coarser steps. */
export const SMALL = { listings: 20, sellers: 3 } as const;

export const SCOPES = ['market', 'own'] as const;
export type Scope = (typeof SCOPES)[number];
export const WITHHELD = ['too_few_listings', 'too_few_sellers'] as const;
export type Withheld = (typeof WITHHELD)[number];

/** A sample as far as it decides what may be told of it. */
export interface Sample {
  n: number;
  sellers: FewSellers;
  /** Listings of others in it, where that is known. */
  foreign?: number | undefined;
}

/** Whose listings they are: all the caller's own, or the market's. Nothing is nobody's own. */
export function chooseScope({ n, sellers }: Sample, caller: string): Scope {
  return n > 0 && sellers.every((seller) => seller === caller) ? 'own' : 'market';
}

/**
 * Why nothing may be told of a sample; null when figures may. A caller can take their own listings out of any figure,
 * so a lone foreign listing among them counts as too few.
 */
export function findWithheld(sample: Sample, caller: string): Withheld | null {
  if (chooseScope(sample, caller) === 'own') return null;
  if (sample.n < FEWEST.listings || sample.foreign === 1) return 'too_few_listings';
  return sample.sellers.length < FEWEST.sellers ? 'too_few_sellers' : null;
}

export function isSmall({ n, sellers }: Sample): boolean {
  return n < SMALL.listings || sellers.length < SMALL.sellers;
}

/** What figures are rounded to, so that the difference of two overlapping samples tells little of one listing. */
export const STEPS = {
  price: { small: 500, large: 100 },
  mileage: { small: 5_000, large: 1_000 },
  days: { small: 1, large: 1 },
} as const;
export type Quantity = keyof typeof STEPS;

export function roundTo(value: number, step: number): number {
  return Math.round(value / step) * step + 0;
}

export type Figures = { count: number } & Record<QuantileName | 'mean' | 'min' | 'max', number | null>;

/** The figures of a sample as they may be told to `caller`; null where they are withheld. */
export function toFigures(
  spread: Spread & { foreign?: number | undefined },
  quantity: Quantity,
  caller: string,
): Figures {
  const count = Math.round(spread.n);
  const sample = { n: count, sellers: spread.sellers, foreign: spread.foreign };
  const told = count > 0 && findWithheld(sample, caller) === null;
  const own = chooseScope(sample, caller) === 'own';
  const small = !own && isSmall(sample);
  const step = own ? 1 : STEPS[quantity][small ? 'small' : 'large'];
  const figure = (value: number | null) =>
    told && value !== null && Number.isFinite(value) ? roundTo(value, step) : null;
  const quantiles = QUANTILE_NAMES.map((name) => [name, figure(spread.quantile(QUANTILES[name]))] as const);
  return {
    count,
    ...(Object.fromEntries(quantiles) as Record<QuantileName, number | null>),
    mean: figure(count === 0 ? null : spread.sum / spread.n),
    min: small ? null : figure(spread.min),
    max: small ? null : figure(spread.max),
  };
}
