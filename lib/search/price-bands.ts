/** Bounds of the price facet, in units of each truck's own currency: each begins a band, below the first and from the last on it is open. */
export const PRICE_BANDS = [
  10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 75_000, 100_000, 125_000, 150_000, 200_000, 300_000,
] as const;
