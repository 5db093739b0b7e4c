import type { ListingDoc } from '../../../domain/listing/truck.ts';
import { isInDollars } from '../../../domain/market/is-in-market.ts';
import { type Position, toMarketPosition } from '../../../domain/market/market-position.ts';
import { MARKET_MODEL, weighSample } from '../../../domain/market/market-sample.ts';
import { DatabaseDown } from '../connection/errors.ts';
import { prepared, type Sql } from '../connection/sql.ts';
import { latestByVin, modelKey, rounded, type ScanRow, scanText, takeWholeLevels } from './market-scan.ts';

/** What others ask for trucks like a listing. */

/** Enough for a percentile, and few beside what reading the listing costs. */
const MAX_TRUCKS = 150;

export type AlikeRow = ScanRow & { price: number | null };
type Listing = Pick<ListingDoc, 'make' | 'model' | 'year' | 'class' | 'price' | 'currency'>;

/** Of others than account $1, like a truck of which these are SQL expressions. */
const scanAlike = (make: string, model: string, year: string, truckClass: string) =>
  scanText(
    {
      status: `'available'`,
      columns: 'truck_class, price',
      output: `${rounded('price')} as price`,
      where: `s.price is not null and (${truckClass} is null or s.truck_class = ${truckClass})`,
    },
    `and make = ${make} and ${MARKET_MODEL} = ${modelKey(model)} and model_year = ${year}`,
    String(MAX_TRUCKS + 1),
  );

/** A JSON array of AlikeRow for the row `k` of `listing_search`; null when there are none. */
export const PRICES_ALIKE = `(select json_agg(alike) from (${scanAlike('k.make', 'k.model', 'k.model_year', 'k.truck_class')}) as alike)`;

/** The same by itself. */
const ALIKE = prepared({ text: scanAlike('$2', '$3::text', '$4::int', '$5::text') });

/** Where the listing stands among what others ask for trucks like it, by a statement of its own. */
export async function readPosition(sql: Sql, accountId: string, listing: Listing): Promise<Position> {
  const { make, model, year, class: truckClass } = listing;
  const rows = await sql
    .query<AlikeRow>(ALIKE, [accountId, make, model, year, truckClass])
    .catch(ignoreAbsence);
  return toPosition(rows, listing);
}

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

/** Where accounts are on several machines, another's may be away; the listing is answered without comparison. */
function ignoreAbsence(error: unknown): AlikeRow[] {
  if (error instanceof DatabaseDown) return [];
  throw error;
}
