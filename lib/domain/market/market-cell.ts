/**
 * The market counted: what one listing tells, and tallies of many that can be added up. Everything here is exact
 * but the histograms, whose buckets are 1.5 % wide for prices and 10,000 miles for mileage. A cell is a function of
 * the set of its listings: counting them at once or adding up parts gives the same cell, whatever the order.
 */

/** What the market knows of one listing for sale. */
export interface Observation {
  /** Account of the seller; never leaves the service. */
  seller: string;
  year: number;
  /** '' where not known. */
  truckClass: string;
  body: string;
  state: string;
  condition: string;
  fuel: string;
  /** Whole US dollars; null is call-for-price. */
  price: number | null;
  /** Miles. */
  mileage: number | null;
}

/** A few sellers, sorted: enough to tell one from several. */
export type FewSellers = readonly string[];
export const FEW = 3;

/** Counts, sum, ends and histogram of one quantity. */
export interface Tally {
  n: number;
  sellers: FewSellers;
  sum: number;
  min: number | null;
  max: number | null;
  /** How many per bucket, ascending, without empty ones. */
  hist: readonly (readonly [bucket: number, n: number])[];
}

/** A property by which the listings of a cell are shared out. Mileage is in bands of MILEAGE_BAND. */
export const MARKS = ['body', 'state', 'condition', 'fuel', 'band'] as const;
export type Mark = (typeof MARKS)[number];
/** Per value: listings, those with a price, the sum of these prices. */
export type Marks = Record<Mark, Record<string, readonly [n: number, priced: number, sum: number]>>;

export interface Tallies {
  n: number;
  sellers: FewSellers;
  price: Tally;
  mileage: Tally;
}

export interface Cell {
  tallies: Tallies;
  marks: Marks;
}

export const MILEAGE_BAND = 10_000;
const FLOOR = 1_000;
const WIDTH = Math.log(1.015);

/** A quantity's buckets: which one a value falls into, and where a bucket begins. */
export interface Buckets {
  of(value: number): number;
  /** A share of the way through the bucket. */
  at(bucket: number, share: number): number;
}

export const PRICE_BUCKETS: Buckets = {
  of: (price) => Math.floor(Math.log(Math.max(price, 1) / FLOOR) / WIDTH),
  at: (bucket, share) => FLOOR * Math.exp((bucket + share) * WIDTH),
};

export const MILEAGE_BUCKETS: Buckets = {
  of: (miles) => Math.floor(miles / MILEAGE_BAND),
  at: (bucket, share) => (bucket + share) * MILEAGE_BAND,
};

/** Days, for how long trucks are for sale. */
export const DAY_BUCKETS: Buckets = { of: (days) => days, at: (bucket) => bucket };

export const NO_TALLY: Tally = { n: 0, sellers: [], sum: 0, min: null, max: null, hist: [] };

/** Counts values, each with its seller. */
export function toTally(values: readonly { value: number; seller: string }[], buckets: Buckets): Tally {
  let [sum, min, max] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const hist = new Map<number, number>();
  for (const { value } of values) {
    sum += value;
    min = Math.min(min, value);
    max = Math.max(max, value);
    const bucket = buckets.of(value);
    hist.set(bucket, (hist.get(bucket) ?? 0) + 1);
  }
  if (values.length === 0) return NO_TALLY;
  return {
    n: values.length,
    sellers: firstSellers(values.map(({ seller }) => seller)),
    sum,
    min,
    max,
    hist: ordered(hist),
  };
}

export function addTallies(tallies: readonly Tally[]): Tally {
  const some = tallies.filter(({ n }) => n > 0);
  const [only] = some;
  if (only === undefined) return NO_TALLY;
  if (some.length === 1) return only;
  const hist = new Map<number, number>();
  for (const tally of some)
    for (const [bucket, n] of tally.hist) hist.set(bucket, (hist.get(bucket) ?? 0) + n);
  return {
    n: total(some, ({ n }) => n),
    sellers: firstSellers(some.flatMap(({ sellers }) => sellers)),
    sum: total(some, ({ sum }) => sum),
    min: Math.min(...some.map(({ min }) => min ?? Number.POSITIVE_INFINITY)),
    max: Math.max(...some.map(({ max }) => max ?? Number.NEGATIVE_INFINITY)),
    hist: ordered(hist),
  };
}

export function cellFor(listings: readonly Observation[]): Cell {
  const marks = noMarks();
  for (const listing of listings) {
    for (const mark of MARKS) {
      const value = readMark(listing, mark);
      const [n, priced, sum] = marks[mark][value] ?? [0, 0, 0];
      marks[mark][value] = [n + 1, priced + (listing.price === null ? 0 : 1), sum + (listing.price ?? 0)];
    }
  }
  return { tallies: toTallies(listings), marks };
}

export function toTallies(listings: readonly Observation[]): Tallies {
  return {
    n: listings.length,
    sellers: firstSellers(listings.map(({ seller }) => seller)),
    price: toTally(readValues(listings, 'price'), PRICE_BUCKETS),
    mileage: toTally(readValues(listings, 'mileage'), MILEAGE_BUCKETS),
  };
}

export function addCells(cells: readonly Cell[]): Cell {
  const marks = noMarks();
  for (const cell of cells)
    for (const mark of MARKS)
      for (const [value, [n, priced, sum]] of Object.entries(cell.marks[mark])) {
        const [m, p, s] = marks[mark][value] ?? [0, 0, 0];
        marks[mark][value] = [m + n, p + priced, s + sum];
      }
  return { tallies: addAll(cells.map(({ tallies }) => tallies)), marks };
}

export function addAll(tallies: readonly Tallies[]): Tallies {
  return {
    n: total(tallies, ({ n }) => n),
    sellers: firstSellers(tallies.flatMap(({ sellers }) => sellers)),
    price: addTallies(tallies.map(({ price }) => price)),
    mileage: addTallies(tallies.map(({ mileage }) => mileage)),
  };
}

/** The values of a quantity that are known. */
export function readValues(listings: readonly Observation[], what: 'price' | 'mileage') {
  return listings.flatMap((listing) => {
    const value = listing[what];
    return value === null ? [] : [{ value, seller: listing.seller }];
  });
}

/** The lowest few of the distinct sellers. */
export function firstSellers(sellers: readonly string[]): FewSellers {
  return [...new Set(sellers)].sort().slice(0, FEW);
}

function readMark(listing: Observation, mark: Mark): string {
  if (mark !== 'band') return listing[mark];
  return listing.mileage === null ? '' : String(MILEAGE_BUCKETS.of(listing.mileage));
}

/** Without a prototype: a body may be called `constructor`. */
function noMarks(): Marks {
  return { body: bare(), state: bare(), condition: bare(), fuel: bare(), band: bare() };
}
const bare = (): Marks[Mark] => Object.create(null);

const ordered = (hist: ReadonlyMap<number, number>) => [...hist].sort(([a], [b]) => a - b);

function total<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}
