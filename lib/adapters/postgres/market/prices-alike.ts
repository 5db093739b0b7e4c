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

type AlikeRow = ScanRow & { price: number | null };
type Listing = Pick<ListingDoc, 'make' | 'model' | 'year' | 'class' | 'price' | 'currency'>;

/** Of others than account $1, of make $2, model $3 and year $4, and of class $5 if there is one. */
const ALIKE = prepared({
  text: scanText(
    {
      status: `'available'`,
      columns: 'truck_class, price',
      output: `${rounded('price')} as price`,
      where: 's.price is not null and ($5::text is null or s.truck_class = $5)',
    },
    `and make = $2 and ${MARKET_MODEL} = ${modelKey('$3::text')} and model_year = $4::int`,
    String(MAX_TRUCKS + 1),
  ),
});

/** Where the listing stands among what others ask for trucks like it. */
export async function readPosition(sql: Sql, accountId: string, listing: Listing): Promise<Position> {
  const { make, model, year, class: truckClass } = listing;
  const rows = await sql
    .query<AlikeRow>(ALIKE, [accountId, make, model, year, truckClass])
    .catch(ignoreAbsence);
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
