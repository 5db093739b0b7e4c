import { computeMedian } from './market-figures.ts';

/** How prices fall with age and mileage. */

export const MILES = 100_000;

export interface PricedTruck {
  year: number;
  mileage: number | null;
  price: number;
}

/** What a model year and 100,000 miles change of a price, as natural logarithms. */
export interface Slopes {
  perYear: number;
  per100kMiles: number;
}

export interface FittedSlopes extends Slopes {
  /** Their standard errors. */
  errors: Slopes;
}

/** Where a sample says nothing: about 8 % a year, 6 % per 100,000 miles. */
const USUAL: Slopes = { perYear: 0.08, per100kMiles: -0.06 };
/** How far the slopes of a kind of truck lie from the usual ones: their standard deviation. */
const USUAL_ERROR = 0.03;
/** The usual slopes weigh as much as trucks whose model years, or 100,000 miles, have this sum of squares. */
const PRIOR = 8;
const ROUNDS = 3;

/**
 * Theil–Sen: the median of the slopes of all pairs, which a tenth of wrong prices does not move; in turns for model
 * year and mileage. Drawn towards the usual slopes when trucks are few or much the same, and kept where slopes of truck prices can be:
 * newer is not cheaper, more miles are not dearer.
 */
export function fitSlopes(trucks: readonly PricedTruck[]): FittedSlopes {
  const rows = trucks.flatMap(({ year, mileage, price }) =>
    mileage === null ? [] : [{ year, miles: mileage / MILES, log: Math.log(price) }],
  );
  const yearsKnown = knownShare(rows.map(({ year }) => year));
  const milesKnown = knownShare(rows.map(({ miles }) => miles));
  const draw = (slope: number | null, usual: number, share: number) =>
    slope === null ? usual : share * slope + (1 - share) * usual;
  let { perYear, per100kMiles } = USUAL;
  for (let round = 0; round < ROUNDS; round += 1) {
    const years = rows.map(({ year, miles, log }) => ({ x: year, y: log - per100kMiles * miles }));
    perYear = clamp(draw(medianSlope(years), USUAL.perYear, yearsKnown), 0, 0.25);
    const mileages = rows.map(({ year, miles, log }) => ({ x: miles, y: log - perYear * year }));
    per100kMiles = clamp(draw(medianSlope(mileages), USUAL.per100kMiles, milesKnown), -0.4, 0);
  }
  const error = (share: number) => USUAL_ERROR * Math.sqrt(1 - share);
  return { perYear, per100kMiles, errors: { perYear: error(yearsKnown), per100kMiles: error(milesKnown) } };
}

/** How much of a slope trucks say that differ so much in model year or mileage. */
function knownShare(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return squares / (squares + PRIOR);
}

function medianSlope(points: readonly { x: number; y: number }[]): number | null {
  const slopes: number[] = [];
  for (const [at, a] of points.entries())
    for (const b of points.slice(at + 1)) if (a.x !== b.x) slopes.push((b.y - a.y) / (b.x - a.x));
  return slopes.length === 0 ? null : computeMedian(slopes);
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** A truck's price as if it had the subject's model year and mileage; unknown mileage is not adjusted for. */
export function adjustPrice(
  subject: Pick<PricedTruck, 'year' | 'mileage'>,
  { year, mileage, price }: PricedTruck,
  slopes: Slopes,
): number {
  const miles = subject.mileage === null || mileage === null ? 0 : (subject.mileage - mileage) / MILES;
  return Math.round(price * Math.exp(slopes.perYear * (subject.year - year) + slopes.per100kMiles * miles));
}
