/** What of other sellers may be shown: enough trucks of enough sellers, and values rounded before anything is computed. */

/** Why figures about other sellers are withheld. */
export const WITHHELD = [
  'too_few_listings',
  'too_few_sellers',
  'dominant_seller',
  'sample_too_small',
] as const;
export type Withheld = (typeof WITHHELD)[number];

const MIN_TRUCKS = 5;
const MIN_SELLERS = 3;
const MAX_SHARE = 0.8;

/** Steps to which the values of others are rounded when they are read, and figures about them again. */
export const STEPS = { price: 500, mileage: 5_000, days: 1 } as const;
export type Quantity = keyof typeof STEPS;

export interface FromSeller {
  /** Account; never leaves the service. */
  seller: string;
  /** Counts, and is judged by the rule, but is in no figure: of a sample, its seller has more than his share. */
  excludedFromSample?: boolean;
}

/**
 * Why nothing may be shown of trucks of others, each counted once; null when figures may. What too few trucks of a sample
 * say of the market is nothing.
 */
export function findWithheld(trucks: readonly FromSeller[], isSample = false): Withheld | null {
  if (trucks.length < MIN_TRUCKS) return isSample ? 'sample_too_small' : 'too_few_listings';
  const bySeller = Map.groupBy(trucks, ({ seller }) => seller);
  if (bySeller.size < MIN_SELLERS) return isSample ? 'sample_too_small' : 'too_few_sellers';
  const largest = Math.max(...[...bySeller.values()].map(({ length }) => length));
  return largest > MAX_SHARE * trucks.length ? 'dominant_seller' : null;
}

export function countSellers(trucks: readonly FromSeller[]): number {
  return new Set(trucks.map(({ seller }) => seller)).size;
}

export function roundTo(value: number, step: number): number {
  return Math.round(value / step) * step + 0;
}
