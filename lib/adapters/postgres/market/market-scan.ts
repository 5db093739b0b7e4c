import { STEPS } from '../../../domain/market/market-rule.ts';
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
  /** Columns that are read of the index, beside account, VIN, model year and time. */
  columns: string;
  /** What is made of them for the rows found: a scan looks at many more. */
  output: string;
  /** Judges a row `s` once it is read. */
  where: string;
}

/** Where the rows are: on one server, or on all workers of a cluster. */
export type Place = 'server' | 'cluster';
const toPlace = (sql: Sql): Place => (sql.isDistributed ? 'cluster' : 'server');

const listColumns = (columns: string) =>
  `market_level as level, account_id as seller, vin, updated_at, model_year, ${columns}`;

/** Level by level as the index has them, until there are enough; a cluster has each worker sort what it has. */
const LEVEL_BY_LEVEL = {
  server: ({ status, columns }: Scan, scope: string) => `
      select o.*, row_number() over ()::int as scanned
      from (select level, status from generate_series(${MAX_LEVEL}, 0, -1) as level, unnest(array[${status}]) as status
        order by level desc) as step,
        lateral (
          select ${listColumns(columns)}
          from listing_search where status = step.status and market_level = step.level ${scope} offset 0
        ) as o
      limit ${MAX_SCANNED}`,
  cluster: ({ status, columns }: Scan, scope: string) => `
      select o.*, row_number() over (order by level desc)::int as scanned from (
        select ${listColumns(columns)}
        from listing_search where status in (${status}) and market_level is not null ${scope}
        order by market_level desc limit ${MAX_SCANNED}
      ) as o`,
};

/** Rows of others than account $1, by conditions `scope` that the index is sorted by; at most `limit`. */
export function scanText(scan: Scan, scope: string, limit: string, place: Place): string {
  const { output, where } = scan;
  return `
    select s.level, s.scanned, s.seller, s.vin, date_part('epoch', s.updated_at) as at, ${output} from (${LEVEL_BY_LEVEL[place](scan, scope)}
    ) as s
    where s.scanned = ${MAX_SCANNED} or (s.seller <> $1
      and s.seller not in (select id from accounts where suspended or not in_market) and ${where})
    limit ${limit}`;
}

/** Conditions by $2 make, $3 model, $4 and $5 model years, as far as they are given. */
const YEARS = 'between coalesce($4::int, 0) and coalesce($5::int, 9999)';
const SCOPES = {
  all: 'and ($2::text is null and $3::text is null)',
  make: 'and make = $2 and $3::text is null',
  model: `and make = $2 and ${MARKET_MODEL} = ${modelKey('$3::text')} and model_year ${YEARS}`,
} as const;

/** A statement per place and scope; `wrap` makes it of the rows found. */
export function scanStatements(found: Scan, wrap: (found: string, place: Place) => string = (text) => text) {
  const scanned = { ...found, where: `s.model_year ${YEARS} and ${found.where}` };
  const inPlace = (place: Place) => {
    const statement = (scope: string): Statement => ({
      text: wrap(scanText(scanned, scope, '$6', place), place),
    });
    return { all: statement(SCOPES.all), make: statement(SCOPES.make), model: statement(SCOPES.model) };
  };
  return { server: inPlace('server'), cluster: inPlace('cluster') };
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
  const { all, make: ofMake, model: ofModel } = statements[toPlace(sql)];
  const statement = make === null ? all : model === null ? ofMake : ofModel;
  const rows = await sql.query<Row>(statement, [caller, make, model, yearMin, yearMax, max + 1, ...more]);
  return takeWholeLevels(rows, max);
}

/** Of at most `max` + 1 rows scanned those of complete levels. */
export function takeWholeLevels<Row extends ScanRow>(rows: readonly Row[], max: number): MarketSample<Row> {
  const last = rows.at(-1);
  const isCut = last !== undefined && (rows.length > max || last.scanned === MAX_SCANNED);
  if (!isCut) return { trucks: [...rows], oneIn: 1 };
  // The level on which the scan ended is incomplete; without another one it is all there is.
  const lowest = Math.min(last.level + 1, MAX_LEVEL);
  return { trucks: rows.filter(({ level }) => level >= lowest).slice(0, max), oneIn: 2 ** lowest };
}

interface Listed extends ScanRow {
  price: number | null;
}

/** One truck per VIN: that with the latest price, whoever asks it. */
export function latestByVin<Row extends Listed>(rows: readonly Row[]): Row[] {
  const latest = new Map<string, Row>();
  for (const row of rows) {
    const known = latest.get(row.vin);
    if (!known || isLater(row, known)) latest.set(row.vin, row);
  }
  return [...latest.values()];
}

function isLater(row: Listed, known: Listed): boolean {
  if ((row.price === null) !== (known.price === null)) return known.price === null;
  return row.at === known.at ? row.seller < known.seller : row.at > known.at;
}

/** The column as others may know it. */
export const rounded = (column: 'price' | 'mileage') =>
  `(s.${column} + ${STEPS[column] / 2}) / ${STEPS[column]} * ${STEPS[column]}`;
