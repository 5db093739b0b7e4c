import type { ListingDoc } from '../truck/listing/truck.ts';
import { isInDollars } from '../truck/price/is-in-market.ts';
import { percentileFor, toMarketFigures } from './figures/market-figures.ts';
import { countSellers } from './figures/market-rule.ts';
import { MARKET_MODEL, markExcluded } from './figures/market-sample.ts';
import {
  latestByVin,
  roundColumn,
  type ScanRow,
  scanText,
  takeWholeLevels,
  toModelKey,
} from './queries/scan.ts';

/** Prices of other sellers' trucks like a listing. */

/** Enough for a percentile, and cheap compared with reading the listing. */
const MAX_TRUCKS = 150;

export type AlikeRow = ScanRow & { price: number };
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

/** SQL for a JSON array of AlikeRow: trucks of accounts other than $1 like the one row `own` of `listing_search`, or null. */
export const PRICES_ALIKE = `(select json_agg(alike) from (${SCAN}) as alike)`;

/** Ranks a listing's price among other sellers' prices. They are rounded, so trying many prices reveals no exact one. */
export function toPosition(rows: readonly AlikeRow[], listing: Listing) {
  const { trucks, oneIn } = takeWholeLevels(rows, MAX_TRUCKS);
  const unique = markExcluded(latestByVin(trucks), MAX_TRUCKS, oneIn);
  const prices = unique.map(({ price, ...truck }) => ({ ...truck, value: price }));
  const { count, p50, withheld } = toMarketFigures(prices, 'price', oneIn);
  const values = prices.flatMap(({ value, excludedFromSample }) => (excludedFromSample ? [] : value));
  // Only a price in US dollars can be ranked.
  const price = isInDollars(listing) ? listing.price : null;
  return {
    count,
    sellers: countSellers(unique),
    median_price: p50,
    percentile: withheld === null && price !== null ? percentileFor(price, values) : null,
    withheld,
  };
}
