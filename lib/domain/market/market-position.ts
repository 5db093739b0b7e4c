import { NO_TALLY, PRICE_BUCKETS, type Tally } from './market-cell.ts';
import { findWithheld, spreadOfTally, toFigures, type Withheld } from './market-figures.ts';

/** How a listing's price stands among the trucks of its model, model year and class. */
export interface Position {
  /** Listings with a price, its own among them. */
  count: number;
  median_price: number | null;
  /** Share of them that ask less, in percent. */
  percentile: number | null;
  withheld: Withheld | null;
}

/**
 * The percentile counts whole buckets, its own by half: an owner who tries prices learns where buckets are, not what
 * another truck costs.
 */
export function toMarketPosition(prices: Tally | null, price: number | null, caller: string): Position {
  const tally = prices ?? NO_TALLY;
  const { count, p50 } = toFigures(spreadOfTally(tally, PRICE_BUCKETS), 'price', caller);
  const withheld = findWithheld(tally, caller);
  return {
    count,
    median_price: p50,
    percentile: withheld !== null || price === null || count === 0 ? null : percentileIn(tally, price),
    withheld,
  };
}

function percentileIn({ n, hist }: Tally, price: number): number {
  const own = PRICE_BUCKETS.of(price);
  let below = 0;
  for (const [bucket, count] of hist) {
    if (bucket < own) below += count;
    else if (bucket === own) below += count / 2;
  }
  return Math.round((100 * below) / n);
}
