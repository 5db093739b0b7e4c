import type { ListingDoc } from '../truck/listing/truck.ts';
import { isInDollars } from '../truck/price/is-in-market.ts';
import { computeMedian, percentileFor } from './figures/market-figures.ts';
import { countSellers, findWithheld, roundTo, STEPS } from './figures/market-rule.ts';
import { MARKET_MODEL, markExcluded } from './figures/market-sample.ts';
import {
  latestByVin,
  roundColumn,
  type ScanRow,
  scanText,
  takeWholeLevels,
  toModelKey,
} from './queries/scan.ts';

/** What others ask for trucks like a listing. */

/** Enough for a percentile, and few beside what reading the listing costs. */
const MAX_TRUCKS = 150;

export type AlikeRow = ScanRow & { price: number | null };
type Listing = Pick<ListingDoc, 'price' | 'currency'>;

const SCAN = scanText(
  {
    status: `'available'`,
    columns: 'truck_class, price',
    output: `${roundColumn('price')} as price`,
    where: `s.price is not null and ((select truck_class from own) is null or s.truck_class = (select truck_class from own))`,
  },
  `and make = (select make from own) and ${MARKET_MODEL} = ${toModelKey('(select model from own)')}
          and model_year = (select model_year from own)`,
  String(MAX_TRUCKS + 1),
);

/** A JSON array of AlikeRow of others than account $1, for the one row `own` of `listing_search`; null when there are none. */
export const PRICES_ALIKE = `(select json_agg(alike) from (${SCAN}) as alike)`;

/** How its price stands among them; those are rounded, so an owner who tries prices learns no more than the rounded ones. */
export function toPosition(rows: readonly AlikeRow[], listing: Listing) {
  const { trucks, oneIn } = takeWholeLevels(rows, MAX_TRUCKS);
  const unique = latestByVin(trucks);
  const withheld = findWithheld(unique, oneIn > 1);
  const values = markExcluded(unique, MAX_TRUCKS, oneIn).flatMap(({ price, excludedFromSample }) =>
    excludedFromSample ? [] : (price ?? []),
  );
  // A price that is not in US dollars has no place among them.
  const price = isInDollars(listing) ? listing.price : null;
  return {
    count: unique.length * oneIn,
    sellers: countSellers(unique),
    median_price: withheld === null ? roundTo(computeMedian(values), STEPS.price) : null,
    percentile: withheld === null && price !== null ? percentileFor(price, values) : null,
    withheld,
  };
}
