import { computeMedian } from './market-figures.ts';

/** How prices change with age and mileage. */

export const MILES = 100_000;

/** The change of a price by a model year and by 100,000 miles, as natural logarithms. */
export interface Slopes {
  perYear: number;
  perMiles: number;
}

/** Slopes to assume when the sample has none. */
const USUAL: Slopes = { perYear: 0.08, perMiles: -0.06 };
/** The usual slopes weigh as much as trucks whose model years, or 100,000 miles, have this sum of squares. */
const PRIOR = 8;
const ROUNDS = 3;

/**
 * Fits slopes by Theil–Sen, the median of the slopes of all pairs, which a tenth of wrong prices does not move. Alternates
 * between model year and mileage, and shrinks towards the usual slopes when trucks are few or alike. Clamps the result:
 * newer trucks are never cheaper, and more miles never make a truck dearer.
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
