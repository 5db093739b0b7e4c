import { computeMedian } from './market-figures.ts';

/** How prices fall with age and mileage. */

export const MILES = 100_000;

interface PricedTruck {
  year: number;
  mileage: number | null;
  price: number;
}

/** What a model year and 100,000 miles change of a price, as natural logarithms. */
export interface Slopes {
  perYear: number;
  per100kMiles: number;
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
export function fitSlopes(trucks: readonly PricedTruck[]): Slopes & { errors: Slopes } {
  const rows = trucks.flatMap(({ year, mileage, price }) =>
    mileage === null ? [] : [{ year, miles: mileage / MILES, log: Math.log(price) }],
  );
  const yearsKnown = knownShare(rows.map(({ year }) => year));
  const milesKnown = knownShare(rows.map(({ miles }) => miles));
  let { perYear, per100kMiles } = USUAL;
  for (let round = 0; round < ROUNDS; round += 1) {
    const years = medianSlope(rows.map(({ year, miles, log }) => [year, log - per100kMiles * miles]));
    perYear = clamp(draw(years, USUAL.perYear, yearsKnown), 0, 0.25);
    const mileages = medianSlope(rows.map(({ year, miles, log }) => [miles, log - perYear * year]));
    per100kMiles = clamp(draw(mileages, USUAL.per100kMiles, milesKnown), -0.4, 0);
  }
  const error = (share: number) => USUAL_ERROR * Math.sqrt(1 - share);
  return { perYear, per100kMiles, errors: { perYear: error(yearsKnown), per100kMiles: error(milesKnown) } };
}

const draw = (slope: number | null, usual: number, share: number) =>
  slope === null ? usual : share * slope + (1 - share) * usual;

/** How much of a slope trucks say that differ so much in model year or mileage. */
function knownShare(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return squares / (squares + PRIOR);
}

function medianSlope(points: readonly (readonly [x: number, y: number])[]): number | null {
  const slopes = points.flatMap(([x, y], at) =>
    points.slice(at + 1).flatMap((other) => (other[0] === x ? [] : (other[1] - y) / (other[0] - x))),
  );
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
