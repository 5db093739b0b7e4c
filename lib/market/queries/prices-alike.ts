import type { ListingDoc } from '../../truck/listing/truck.ts';
import { isInDollars } from '../figures/is-in-market.ts';
import { type Position, toMarketPosition } from '../figures/market-position.ts';
import { MARKET_MODEL, weighSample } from '../figures/market-sample.ts';
import { latestByVin, modelKey, rounded, type ScanRow, scanText, takeWholeLevels } from './market-scan.ts';

/** What others ask for trucks like a listing. */

/** Enough for a percentile, and few beside what reading the listing costs. */
const MAX_TRUCKS = 150;

export type AlikeRow = ScanRow & { price: number | null };
type Listing = Pick<ListingDoc, 'price' | 'currency'>;

const SCAN = scanText(
  {
    status: `'available'`,
    columns: 'truck_class, price',
    output: `${rounded('price')} as price`,
    where: `s.price is not null and ((select truck_class from own) is null or s.truck_class = (select truck_class from own))`,
  },
  `and make = (select make from own) and ${MARKET_MODEL} = ${modelKey('(select model from own)')}
          and model_year = (select model_year from own)`,
  String(MAX_TRUCKS + 1),
);

/** A JSON array of AlikeRow of others than account $1, for the one row `own` of `listing_search`; null when there are none. */
export const PRICES_ALIKE = `(select json_agg(alike) from (${SCAN}) as alike)`;

export function toPosition(rows: readonly AlikeRow[], listing: Listing): Position {
  const { trucks, oneIn } = takeWholeLevels(rows, MAX_TRUCKS);
  const listed = latestByVin(trucks);
  const prices = weighSample(listed, MAX_TRUCKS, oneIn).flatMap(({ seller, price: value, weighsNothing }) =>
    value === null ? [] : [{ seller, value, weighsNothing }],
  );
  // A price that is not in US dollars has no place among them.
  const price = isInDollars(listing) ? listing.price : null;
  return toMarketPosition(prices, listed.length * oneIn, price, oneIn > 1);
}
