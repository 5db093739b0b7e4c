import { prepared, type Sql } from '../../db/sql.ts';
import { STEPS } from '../figures/market-rule.ts';
import { MARKET_MODEL, MAX_LEVEL } from '../figures/market-sample.ts';
import type { MarketFilter } from '../filters.ts';

/**
 * Bounded reads of trucks of all accounts, level by level from the smallest sample to all trucks
 * (lib/market/figures/market-sample.ts), in the one index that crosses accounts. A level is taken whole or not at all.
 */

/** Returns MARKET_MODEL for another column, or for a text parameter. */
export const toModelKey = (model: string) => MARKET_MODEL.replace('model', model);

/** The most index rows to read for one answer. */
const MAX_SCANNED = 10_000;

export interface ScanRow {
  level: number;
  scanned: number;
  seller: string;
  vin: string;
  /** Seconds since the epoch. */
  at: number;
}

interface Scan {
  /** SQL literals. */
  status: string;
  /** Columns of the index to read in addition to account, VIN, model year and time. */
  columns: string;
  /** Expressions of these columns for the rows that match, which are far fewer than those read. */
  output: string;
  /** Condition on a row `s` of the index. */
  where: string;
}

/** Conditions from the smallest sample to all trucks. Levels above 5, one truck in 64, are few enough to be read together. */
const LEVELS = ['>= 6', '= 5', '= 4', '= 3', '= 2', '= 1', '= 0'];

/** SQL for at most `limit` rows of accounts other than $1. `scope` are conditions that the index is sorted by. */
export function scanText({ status, columns, output, where }: Scan, scope: string, limit: string): string {
  const branches = LEVELS.map(
    (level) => `
        (/* all accounts */ select market_level as level, account_id as seller, vin, updated_at, model_year, ${columns}
        from listing_search where status in (${status}) and market_level ${level} ${scope}
        order by market_level desc limit ${MAX_SCANNED})`,
  );
  return `
    select s.level, s.scanned, s.seller, s.vin, date_part('epoch', s.updated_at) as at, ${output} from (
      select o.*, row_number() over ()::int as scanned from (${branches.join(' union all')}
      ) as o limit ${MAX_SCANNED}
    ) as s
    where s.scanned = ${MAX_SCANNED} or (s.seller <> $1
      and s.seller not in (select id from accounts where suspended or not in_market) and ${where})
    limit ${limit}`;
}

/** Conditions on $2 make, $3 model, $4 and $5 model years, each of which may be null. */
const YEARS = 'between coalesce($4::int, 0) and coalesce($5::int, 9999)';
const SCOPES = {
  all: 'and ($2::text is null and $3::text is null)',
  make: 'and make = $2 and $3::text is null',
  model: `and make = $2 and ${MARKET_MODEL} = ${toModelKey('$3::text')} and model_year ${YEARS}`,
} as const;

/** Prepares a statement for each scope. */
export function scanStatements(scan: Scan) {
  const scanned = { ...scan, where: `s.model_year ${YEARS} and ${scan.where}` };
  const statement = (scope: string) => prepared({ text: scanText(scanned, scope, '$6') });
  return { all: statement(SCOPES.all), make: statement(SCOPES.make), model: statement(SCOPES.model) };
}

/** Scans trucks of accounts other than the caller's; `more` are the parameters from $7 on. */
export async function scan<Row extends ScanRow>(
  db: Sql,
  statements: ReturnType<typeof scanStatements>,
  caller: string,
  { make, model, year_min, year_max }: MarketFilter,
  max: number,
  more: readonly unknown[],
) {
  const statement = make == null ? statements.all : model == null ? statements.make : statements.model;
  const values = [caller, make, model, year_min, year_max, max + 1, ...more];
  const rows = await db.query<Row>(
    statement,
    values.map((value) => value ?? null),
  );
  return takeWholeLevels(rows, max);
}

/** Keeps the rows of complete levels from a scan of at most `max` + 1 rows; each stands for `oneIn` trucks. */
export function takeWholeLevels<Row extends ScanRow>(rows: readonly Row[], max: number) {
  const last = rows.at(-1);
  const isCut = last !== undefined && (rows.length > max || last.scanned === MAX_SCANNED);
  if (!isCut) return { trucks: [...rows], oneIn: 1 };
  // The level on which the scan ended is incomplete; the highest level is kept anyway.
  const lowest = Math.min(last.level + 1, MAX_LEVEL);
  return { trucks: rows.filter(({ level }) => level >= lowest).slice(0, max), oneIn: 2 ** lowest };
}

/** Keeps one row of each VIN: the one with the latest price. */
export function latestByVin<Row extends ScanRow & { price: number | null }>(rows: readonly Row[]): Row[] {
  const latestFirst = rows.toSorted(
    (a, b) =>
      Number(a.price === null) - Number(b.price === null) || b.at - a.at || (a.seller < b.seller ? -1 : 1),
  );
  const byVin = Map.groupBy(latestFirst, ({ vin }) => vin).values();
  return [...byVin].flatMap(([latest]) => latest ?? []);
}

/** SQL for a column, rounded as other sellers may see it. */
export const roundColumn = (column: 'price' | 'mileage') =>
  `(s.${column} + ${STEPS[column] / 2}) / ${STEPS[column]} * ${STEPS[column]}`;
