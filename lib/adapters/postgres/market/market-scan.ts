import { MARKET_MODEL, MAX_LEVEL } from '../../../domain/market/market-sample.ts';
import type { MarketSample } from '../../../ports/market.ts';
import type { Sql, Statement } from '../connection/sql.ts';

/**
 * Bounded reads of trucks of all accounts, level by level from the smallest sample to all trucks
 * (lib/domain/market/market-sample.ts), in the one index that crosses accounts. A level is taken whole or not at all.
 */

/** MARKET_MODEL of another column, or of a text parameter. */
export const modelKey = (model: string) => MARKET_MODEL.replace('model', model);

/** Index rows that are looked at for one answer. */
export const MAX_SCANNED = 5_000;

/** Of accounts whose listings count in the market of account $1, and of model years $4 to $5. */
const IN_MARKET = `s.seller <> $1 and s.seller not in (select id from accounts where suspended or not in_market)
      and s.year between coalesce($4::int, 0) and coalesce($5::int, 9999)`;

/** Conditions by $2 make, $3 model, $4 and $5 model years: what the index is sorted by, as far as they are given. */
const SCOPES = {
  all: 'and ($2::text is null and $3::text is null)',
  make: 'and make = $2 and $3::text is null',
  model: `and make = $2 and ${MARKET_MODEL} = ${modelKey('$3::text')}
            and model_year between coalesce($4::int, 0) and coalesce($5::int, 9999)`,
} as const;

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
  /** What else is read of the index. */
  columns: string;
  /** Judges a row `s` once it is read. */
  where: string;
  /** Makes a statement of the rows found. */
  wrap?: (found: string) => string;
}

/** A statement per scope. */
export function scanStatements({ status, columns, where, wrap = (found) => found }: Scan) {
  const statement = (scope: string): Statement => ({
    prepared: true,
    text: wrap(`
    select s.* from (
      select o.*, row_number() over ()::int as scanned
      from (select level, status from generate_series(${MAX_LEVEL}, 0, -1) as level, unnest(array[${status}]) as status
        order by level desc) as step,
        lateral (
          select market_level as level, account_id as seller, vin, date_part('epoch', updated_at) as at,
            model_year as year, ${columns}
          from listing_search where status = step.status and market_level = step.level ${scope} offset 0
        ) as o
      limit ${MAX_SCANNED}
    ) as s
    where s.scanned = ${MAX_SCANNED} or (${IN_MARKET} and ${where})
    limit $6`),
  });
  return { all: statement(SCOPES.all), make: statement(SCOPES.make), model: statement(SCOPES.model) };
}

/** The first six parameters of a scan. */
export interface Scope {
  caller: string;
  make: string | null;
  model: string | null;
  yearMin: number | null;
  yearMax: number | null;
  max: number;
}

export async function scan<Row extends ScanRow>(
  sql: Sql,
  statements: ReturnType<typeof scanStatements>,
  { caller, make, model, yearMin, yearMax, max }: Scope,
  more: readonly unknown[],
): Promise<MarketSample<Row>> {
  const statement = make === null ? statements.all : model === null ? statements.make : statements.model;
  const rows = await sql.query<Row>(statement, [caller, make, model, yearMin, yearMax, max + 1, ...more]);
  const last = rows.at(-1);
  const isCut = last !== undefined && (rows.length > max || last.scanned === MAX_SCANNED);
  if (!isCut) return { trucks: rows, oneIn: 1 };
  // The level on which the scan ended is incomplete; without another one it is all there is.
  const lowest = Math.min(last.level + 1, MAX_LEVEL);
  return { trucks: rows.filter(({ level }) => level >= lowest).slice(0, max), oneIn: 2 ** lowest };
}
