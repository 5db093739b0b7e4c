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

/** Where a sample says nothing: about 8 % a year, 6 % per 100,000 miles. */
const USUAL: Slopes = { perYear: 0.08, per100kMiles: -0.06 };
/** How many trucks the usual slopes weigh. */
const PRIOR = 8;
const ROUNDS = 3;

/**
 * Theil–Sen: the median of the slopes of all pairs, which a tenth of wrong prices does not move; in turns for model
 * year and mileage. Drawn towards the usual slopes when trucks are few, and kept where slopes of truck prices can be:
 * newer is not cheaper, more miles are not dearer.
 */
export function fitSlopes(trucks: readonly PricedTruck[]): Slopes {
  const rows = trucks.flatMap(({ year, mileage, price }) =>
    mileage === null ? [] : [{ year, miles: mileage / MILES, log: Math.log(price) }],
  );
  const share = rows.length / (rows.length + PRIOR);
  const draw = (slope: number | null, usual: number) =>
    slope === null ? usual : share * slope + (1 - share) * usual;
  let { perYear, per100kMiles } = USUAL;
  for (let round = 0; round < ROUNDS; round += 1) {
    const years = rows.map(({ year, miles, log }) => ({ x: year, y: log - per100kMiles * miles }));
    perYear = clamp(draw(medianSlope(years), USUAL.perYear), 0, 0.25);
    const mileages = rows.map(({ year, miles, log }) => ({ x: miles, y: log - perYear * year }));
    per100kMiles = clamp(draw(medianSlope(mileages), USUAL.per100kMiles), -0.4, 0);
  }
  return { perYear, per100kMiles };
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
