import {
  type Cell,
  firstSellers,
  MARKS,
  type Mark,
  MILEAGE_BUCKETS,
  PRICE_BUCKETS,
  type Tallies,
  type Tally,
} from './market-cell.ts';

/** The values that a filter admits of each property; absent: all. */
export type Picks = Partial<Record<Mark, (value: string) => boolean>>;

/** A share of fewer priced listings than these says nothing of its prices. */
const ENOUGH = 5;

/**
 * Estimates what of a cell fits filters that it is not cut by. Within a cell (one model, model year and class) the
 * properties are taken for independent: the shares multiply, and the histogram moves by how much dearer or cheaper
 * each share's mean price is. The ends are not estimated. Counts are fractions.
 */
export function estimate({ tallies, marks }: Cell, picks: Picks): Tallies {
  let [share, pricedShare, factor] = [1, 1, 1];
  const mean = tallies.price.n > 0 ? tallies.price.sum / tallies.price.n : 0;
  for (const mark of MARKS) {
    const admits = picks[mark];
    if (!admits) continue;
    let [n, priced, sum] = [0, 0, 0];
    for (const [value, [m, p, s]] of Object.entries(marks[mark])) {
      if (!admits(value)) continue;
      n += m;
      priced += p;
      sum += s;
    }
    share *= tallies.n > 0 ? n / tallies.n : 0;
    pricedShare *= tallies.price.n > 0 ? priced / tallies.price.n : 0;
    if (priced >= ENOUGH && mean > 0) factor *= sum / priced / mean;
  }
  const band = picks.band;
  const { n, sellers, price, mileage } = tallies;
  return {
    n: n * share,
    sellers: share > 0 ? sellers : [],
    price: movedPrices(price, pricedShare, factor),
    mileage: band ? pickedBands(mileage, band, n * share) : scaled(mileage, share),
  };
}

function scaled(tally: Tally, share: number): Tally {
  if (share === 0) return { n: 0, sellers: [], sum: 0, min: null, max: null, hist: [] };
  const hist = tally.hist.map(([bucket, n]) => [bucket, n * share] as const);
  return { n: tally.n * share, sellers: tally.sellers, sum: tally.sum * share, min: null, max: null, hist };
}

function movedPrices(tally: Tally, share: number, factor: number): Tally {
  const same = scaled(tally, share);
  const hist = new Map<number, number>();
  for (const [bucket, n] of same.hist) {
    const moved = PRICE_BUCKETS.of(PRICE_BUCKETS.at(bucket, 0.5) * factor);
    hist.set(moved, (hist.get(moved) ?? 0) + n);
  }
  return { ...same, sum: same.sum * factor, hist: [...hist].sort(([a], [b]) => a - b) };
}

/** Of the mileage histogram the bands admitted, brought to what the other filters leave of them. */
function pickedBands(tally: Tally, admits: (band: string) => boolean, expected: number): Tally {
  const picked = tally.hist.filter(([bucket]) => admits(String(bucket)));
  const n = picked.reduce((all, [, count]) => all + count, 0);
  if (n === 0 || expected === 0) return scaled(tally, 0);
  const hist = picked.map(([bucket, count]) => [bucket, (count * expected) / n] as const);
  const sum = hist.reduce((all, [bucket, count]) => all + MILEAGE_BUCKETS.at(bucket, 0.5) * count, 0);
  return { n: expected, sellers: firstSellers(tally.sellers), sum, min: null, max: null, hist };
}
