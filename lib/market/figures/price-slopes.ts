import { computeMedian } from './market-figures.ts';

/** How prices fall with age and mileage. */

export const MILES = 100_000;

/** What a model year and 100,000 miles change of a price, as natural logarithms. */
export interface Slopes {
  perYear: number;
  perMiles: number;
}

/** Where a sample says nothing. */
const USUAL: Slopes = { perYear: 0.08, perMiles: -0.06 };
/** The usual slopes weigh as much as trucks whose model years, or 100,000 miles, have this sum of squares. */
const PRIOR = 8;
const ROUNDS = 3;

/**
 * Theil–Sen: the median of the slopes of all pairs, which a tenth of wrong prices does not move; in turns for model year and
 * mileage, and drawn towards the usual slopes when trucks are few or much the same. Kept where slopes of truck prices can be:
 * newer is not cheaper, more miles are not dearer.
 */
export function fitSlopes(
  trucks: readonly { year: number; mileage: number | null; price: number }[],
): Slopes {
  const rows = trucks.flatMap(({ year, mileage, price }) =>
    mileage === null ? [] : [{ year, miles: mileage / MILES, log: Math.log(price) }],
  );
  let { perYear, perMiles } = USUAL;
  for (let round = 0; round < ROUNDS; round += 1) {
    const years = fitSlope(
      rows.map(({ year, miles, log }) => [year, log - perMiles * miles]),
      USUAL.perYear,
    );
    perYear = clamp(years, 0, 0.25);
    const mileages = fitSlope(
      rows.map(({ year, miles, log }) => [miles, log - perYear * year]),
      USUAL.perMiles,
    );
    perMiles = clamp(mileages, -0.4, 0);
  }
  return { perYear, perMiles };
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

function fitSlope(points: readonly (readonly [x: number, y: number])[], usual: number) {
  const slopes = points.flatMap(([x, y], at) =>
    points.slice(at + 1).flatMap((second) => (second[0] === x ? [] : (second[1] - y) / (second[0] - x))),
  );
  if (slopes.length === 0) return usual;
  const mean = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const squares = points.reduce((sum, [x]) => sum + (x - mean) ** 2, 0);
  return (squares * computeMedian(slopes) + PRIOR * usual) / (squares + PRIOR);
}
