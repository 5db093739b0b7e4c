import type { ListingDoc } from '../../../domain/listing/truck.ts';
import { isInDollars } from '../../../domain/market/is-in-market.ts';
import { type Position, toMarketPosition } from '../../../domain/market/market-position.ts';
import { MARKET_MODEL, weighSample } from '../../../domain/market/market-sample.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import {
  latestByVin,
  modelKey,
  type Place,
  rounded,
  type ScanRow,
  scanText,
  takeWholeLevels,
} from './market-scan.ts';

/** What others ask for trucks like a listing, read in the statement that reads the listing. */

/** Enough for a percentile, and few beside what reading the listing costs. */
const MAX_TRUCKS = 150;

type Alike = ScanRow & { price: number | null };

/** Of others than account $1, like a truck of which these are SQL expressions. */
const scanAlike = (make: string, model: string, year: string, truckClass: string, place: Place) =>
  scanText(
    {
      status: `'available'`,
      columns: 'truck_class, price',
      output: `${rounded('price')} as price`,
      where: `s.price is not null and (${truckClass} is null or s.truck_class = ${truckClass})`,
    },
    `and make = ${make} and ${MARKET_MODEL} = ${modelKey(model)} and model_year = ${year}`,
    String(MAX_TRUCKS + 1),
    place,
  );

/** Rows like the row `k` of `listing_search`, as a JSON array; null when there are none. */
export const PRICES_ALIKE = `(select json_agg(alike) from (${scanAlike('k.make', 'k.model', 'k.model_year', 'k.truck_class', 'server')}) as alike)`;

/** The same of a cluster, which cannot read one account and all others in one statement. */
const OF_CLUSTER: Statement = { text: scanAlike('$2', '$3::text', '$4::int', '$5::text', 'cluster') };

/** What tells trucks alike: make, model, year and class of a row of `listing_search`. */
export type Kind = [make: string, model: string | null, year: number, truckClass: string | null];

export const readAlike = (sql: Sql, accountId: string, kind: Kind): Promise<Alike[]> =>
  sql.query<Alike>(OF_CLUSTER, [accountId, ...kind]);

/** A price that is not in US dollars has no place among them. */
export function toPosition(
  rows: readonly Alike[] | null,
  listing: Pick<ListingDoc, 'price' | 'currency'>,
): Position {
  const { trucks, oneIn } = takeWholeLevels(rows ?? [], MAX_TRUCKS);
  const listed = latestByVin(trucks);
  const prices = weighSample(listed, MAX_TRUCKS, oneIn).flatMap(({ seller, price: value, weighsNothing }) =>
    value === null ? [] : [{ seller, value, weighsNothing }],
  );
  const price = isInDollars(listing) ? listing.price : null;
  return toMarketPosition(prices, listed.length * oneIn, price, oneIn > 1);
}

export type { Alike };
