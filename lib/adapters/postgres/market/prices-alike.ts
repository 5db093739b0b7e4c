import { type Position, toMarketPosition } from '../../../domain/market/market-position.ts';
import { MARKET_MODEL } from '../../../domain/market/market-sample.ts';
import { latestByVin, modelKey, rounded, type ScanRow, scanText, takeWholeLevels } from './market-scan.ts';

/** What others ask for trucks like a listing, read in the statement that reads the listing. */

/** Enough for a percentile, and few beside what reading the listing costs. */
const MAX_TRUCKS = 150;

type Alike = ScanRow & { price: number | null };

/** Rows of others than account $1 like the row `k` of `listing_search`, as a JSON array; null when there are none. */
export const PRICES_ALIKE = `(select json_agg(alike) from (${scanText(
  {
    status: `'available'`,
    columns: 'truck_class, price',
    output: `${rounded('price')} as price`,
    where: 's.price is not null and (k.truck_class is null or s.truck_class = k.truck_class)',
  },
  `and make = k.make and ${MARKET_MODEL} = ${modelKey('k.model')} and model_year = k.model_year`,
  String(MAX_TRUCKS + 1),
)}) as alike)`;

export function toPosition(rows: readonly Alike[] | null, price: number | null): Position {
  const { trucks, oneIn } = takeWholeLevels(rows ?? [], MAX_TRUCKS);
  const prices = latestByVin(trucks).flatMap(({ seller, price: value }) =>
    value === null ? [] : [{ seller, value }],
  );
  return toMarketPosition(prices, oneIn, price);
}

export type { Alike };
