/** Protects other sellers: figures need enough trucks of enough sellers, and values are rounded before figures are computed. */

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

/** Steps to which other sellers' values are rounded when they are read, and the figures again. */
export const STEPS = { price: 500, mileage: 5_000, days: 1 } as const;
export type Quantity = keyof typeof STEPS;

export interface FromSeller {
  /** Account id; never in an answer. */
  seller: string;
  /** True if the seller has more than its share of a sample: the truck counts, but no figure includes it. */
  excludedFromSample?: boolean;
}

/**
 * Returns why figures about these trucks of other sellers are withheld; null if they may be shown. Too few trucks of a
 * sample do not mean that the market has too few.
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
