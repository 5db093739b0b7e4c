import { grouped } from '../text/text.ts';
import type { Observation } from './market-cell.ts';
import { computeQuantile } from './market-figures.ts';

/** Which trucks are comparable, what they would cost were they this one, and what that says of its price. */

export interface Subject {
  year: number;
  mileage: number | null;
  price: number | null;
}

/** A listing with a price. */
export type Priced = Observation & { price: number };

export interface Comparable {
  listing: Priced;
  /** Its price brought to the subject's model year and mileage, whole dollars. */
  adjusted: number;
  /** 0 to 100; 100 is the same model year and mileage. */
  similarity: number;
}

/** Most comparables of an answer. */
export const MOST = 30;
/** Model years to either side. */
export const YEARS_APART = 3;

/** What a model year and 100,000 miles change of a price, as natural logarithms. */
export interface Slopes {
  perYear: number;
  per100kMiles: number;
}

/** Where a sample says nothing: about 8 % a year, 6 % per 100,000 miles. */
const USUAL: Slopes = { perYear: 0.08, per100kMiles: -0.06 };
const MILES = 100_000;
/** How many listings' worth of spread the usual slopes weigh. */
const PRIOR = 3;

/** The most similar of the candidates, with adjusted prices, the most similar first. */
export function findComparables(subject: Subject, candidates: readonly Priced[]): Comparable[] {
  const slopes = fitSlopes(candidates);
  return candidates
    .map((listing) => ({
      listing,
      adjusted: adjust(subject, listing, slopes),
      similarity: scoreSimilarity(subject, listing),
    }))
    .sort(
      (a, b) => b.similarity - a.similarity || a.adjusted - b.adjusted || a.listing.price - b.listing.price,
    )
    .slice(0, MOST);
}

function scoreSimilarity(subject: Subject, listing: Priced): number {
  const years = Math.abs(subject.year - listing.year);
  const known = subject.mileage !== null && listing.mileage !== null;
  const miles = known ? Math.abs((subject.mileage ?? 0) - (listing.mileage ?? 0)) / MILES : 1;
  return Math.round(100 * Math.exp(-0.25 * years - 0.35 * miles));
}

/** A listing's price as if it had the subject's model year and mileage; unknown mileage is not adjusted for. */
export function adjust(subject: Subject, { year, mileage, price }: Priced, slopes: Slopes): number {
  const miles = subject.mileage === null || mileage === null ? 0 : (subject.mileage - mileage) / MILES;
  return Math.round(price * Math.exp(slopes.perYear * (subject.year - year) + slopes.per100kMiles * miles));
}

/**
 * Least squares of the logarithm of the price on model year and mileage, drawn towards the usual slopes as by a few
 * listings more, and kept where slopes of truck prices can be: newer is not cheaper, more miles are not dearer.
 */
export function fitSlopes(listings: readonly Priced[]): Slopes {
  const known = listings.flatMap(({ year, mileage, price }) =>
    mileage === null ? [] : [{ x: year, z: mileage / MILES, y: Math.log(price) }],
  );
  const n = Math.max(1, known.length);
  const mean = (of: (row: { x: number; y: number; z: number }) => number) =>
    known.reduce((sum, row) => sum + of(row), 0) / n;
  const [mx, my, mz] = [mean(({ x }) => x), mean(({ y }) => y), mean(({ z }) => z)];
  let [xx, zz, xz, xy, zy] = [PRIOR, PRIOR, 0, PRIOR * USUAL.perYear, PRIOR * USUAL.per100kMiles];
  for (const { x, y, z } of known) {
    xx += (x - mx) ** 2;
    zz += (z - mz) ** 2;
    xz += (x - mx) * (z - mz);
    xy += (x - mx) * (y - my);
    zy += (z - mz) * (y - my);
  }
  const determinant = xx * zz - xz * xz;
  const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
  return {
    perYear: within((xy * zz - zy * xz) / determinant, 0, 0.25),
    per100kMiles: within((zy * xx - xy * xz) / determinant, -0.4, 0),
  };
}

export const VERDICTS = [
  'well_below_market',
  'below_market',
  'at_market',
  'above_market',
  'well_above_market',
] as const;
export type Verdict = (typeof VERDICTS)[number];
const NEAR = 0.05;
const FAR = 0.15;

/** Where a price stands against the median of comparable ones. */
export function judgePrice(price: number, median: number): Verdict {
  const off = price / median - 1;
  if (off <= -FAR) return 'well_below_market';
  if (off < -NEAR) return 'below_market';
  if (off <= NEAR) return 'at_market';
  return off < FAR ? 'above_market' : 'well_above_market';
}

/** Share of the values below, equal ones counted half, in whole percent. */
export function percentileFor(value: number, values: readonly number[]): number {
  const below = values.filter((other) => other < value).length;
  const equal = values.filter((other) => other === value).length;
  return values.length === 0 ? 0 : Math.round((100 * (below + equal / 2)) / values.length);
}

export interface Reason {
  code: 'price' | 'model_year' | 'mileage' | 'few_comparables' | 'no_price';
  text: string;
}

/** Why the verdict is what it is, in words. `median` is the rounded one that is told. */
export function explainPrice(subject: Subject, comparables: readonly Comparable[], median: number): Reason[] {
  const reasons: Reason[] = [];
  const { price, year, mileage } = subject;
  const at = mileage === null ? `${year}` : `${year} and ${grouped(mileage)} mi`;
  if (price === null)
    reasons.push({ code: 'no_price', text: 'The truck has no price to compare (call for price).' });
  else {
    const off = Math.round((price / median - 1) * 100);
    const words = off === 0 ? 'the same' : `${Math.abs(off)} % ${off > 0 ? 'more' : 'less'}`;
    reasons.push({
      code: 'price',
      text: `The median of ${comparables.length} comparable trucks, adjusted to ${at}, is $${grouped(median)}; this one asks $${grouped(price)}, ${words}.`,
    });
  }
  const older = year - middle(comparables.map(({ listing }) => listing.year));
  if (Math.abs(older) >= 0.5)
    reasons.push({
      code: 'model_year',
      text: `The comparable trucks are typically ${tenth(older)} model years ${older > 0 ? 'older' : 'newer'}; their prices were brought to ${year}.`,
    });
  const miles = comparables.flatMap(({ listing }) => (listing.mileage === null ? [] : [listing.mileage]));
  if (mileage !== null && miles.length > 0) {
    const more = Math.round((middle(miles) - mileage) / 10_000) * 10_000;
    if (more !== 0)
      reasons.push({
        code: 'mileage',
        text: `The comparable trucks typically have about ${grouped(Math.abs(more))} mi ${more > 0 ? 'more' : 'less'}; their prices were brought to ${grouped(mileage)} mi.`,
      });
  }
  if (comparables.length < 10)
    reasons.push({ code: 'few_comparables', text: 'Fewer than 10 comparable trucks: take it with care.' });
  return reasons;
}

const tenth = (value: number) => Math.abs(Math.round(value * 10) / 10);
const middle = (values: readonly number[]) =>
  computeQuantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
