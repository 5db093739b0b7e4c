import type { Marks, Observation, Tallies } from '../../../domain/market/market-cell.ts';
import { fits, type MarketFilter } from '../../../domain/market/market-filter.ts';
import { IN_MARKET, MARKET_LEVELS, MARKET_MODEL } from '../../../domain/market/market-levels.ts';
import type { Market } from '../../../ports/market.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { iso } from '../listings/iso-time.ts';
import { foldMarket } from './market-fold.ts';
import { modelKey, OBSERVED } from './market-key.ts';
import { foldTrend, knownWeeks, liveHistories } from './market-trends.ts';

/**
 * Market data: the one place that reads listings across accounts for a caller. What leaves it goes through
 * lib/domain/market/market-figures.ts, which decides what may be told.
 */
export function postgresMarket(sql: Sql): Market {
  return {
    async live(filter, bound) {
      const { make, model, yearMin, yearMax } = filter;
      // Without a model the years are judged after the scan, which must be bounded whatever they are.
      const [statement, scope] =
        make === null
          ? [LIVE_ALL, []]
          : model === null
            ? [LIVE_MAKE, [make]]
            : [LIVE_MODEL, [make, model, yearMin ?? 0, yearMax ?? 9_999]];
      const rows = await sql.query<Observation & Scanned>(statement, [bound + 1, ...scope]);
      if ((rows[0]?.scanned ?? 0) > bound) return null;
      return rows.filter((row) => row.seller !== null && fits(filter, row));
    },

    near: ({ vin, make, model, year, mileage }) =>
      sql.query<Observation>(NEAR, [make, model, year, mileage ?? 0, vin]),

    async ofMake(make, exceptVin, bound) {
      const rows = await sql.query<Observation & { vin: string }>(OF_MAKE, [make, bound + 1]);
      return rows.length > bound ? null : rows.filter(({ vin }) => vin !== exceptVin);
    },

    async cells(filter, withMarks) {
      const rows = await sql.query<CellRow>(CELLS, [
        chooseLevel(filter),
        filter.make ?? '',
        filter.model ?? '',
        filter.yearMin ?? 0,
        filter.yearMax ?? 9_999,
        filter.truckClass,
        withMarks,
      ]);
      const [first] = rows;
      if (!first) throw new Error('the read of cells answered no row');
      const cells = rows.flatMap(({ year, tallies, marks }) =>
        year === null || tallies === null ? [] : [{ year, tallies, marks }],
      );
      return { asOf: first.as_of, cells };
    },

    histories: (kind, bound) => liveHistories(sql, kind, bound),
    weeks: (kind, since) => knownWeeks(sql, kind, since),
    foldTrend: (fence) => foldTrend(sql, fence),
    fold: (fence, limit) => foldMarket(sql, fence, limit),
  };
}

interface CellRow {
  as_of: string;
  year: number | null;
  tallies: Tallies | null;
  marks: Marks | null;
}

function chooseLevel({ make, model, truckClass }: MarketFilter): number {
  if (make === null) return truckClass === null ? MARKET_LEVELS.years : MARKET_LEVELS.all;
  return model === null ? MARKET_LEVELS.make : MARKET_LEVELS.model;
}

/** Rows of a bounded scan, none when it hit its bound; at least one row, which may hold nothing but the count. */
interface Scanned {
  scanned: number;
  seller: string | null;
}

const live = (where: string): Statement => ({
  prepared: true,
  text: `
    with found as materialized (
      select ${OBSERVED} from listing_search where ${IN_MARKET} and status = 'available' ${where} limit $1
    )
    select c.scanned, f.* from (select count(*)::int as scanned from found) c left join found f on c.scanned < $1`,
});

/** In the order of the index that has all it reads: left alone, a bounded read of anything scans the table. */
const LIVE_ALL = live('order by make');
const LIVE_MAKE = live('and make = $2');
const LIVE_MODEL = live(
  `and make = $2 and ${MARKET_MODEL} = ${modelKey('$3::text')} and model_year between $4 and $5`,
);

/** Cells in order of year; always a row. Everything written before `as_of` is counted. */
const CELLS: Statement = {
  prepared: true,
  text: `
    select ${iso('coalesce((select at from market_dirty order by id limit 1), now())')} as as_of,
      c.model_year as year, c.tallies, case when $7::boolean then c.marks end as marks
    from (values (1)) as always left join market_cells c on c.level = $1 and c.make = $2
      and c.model = ${modelKey('$3::text')} and c.model_year between $4 and $5
      and ($6::text is null or c.truck_class = $6)
    order by c.model_year`,
};

const OF_MAKE: Statement = {
  prepared: true,
  text: `select ${OBSERVED}, vin from listing_search where ${IN_MARKET} and status = 'available' and make = $1 limit $2`,
};

/** Priced listings of a model in one model year `y`. */
const OF_MODEL = `select ${OBSERVED}, vin from listing_search
      where ${IN_MARKET} and status = 'available' and make = $1 and ${MARKET_MODEL} = ${modelKey('$2::text')} and model_year = y
        and price is not null`;

/** Per model year the nearest mileages to either side: a few hundred rows of the index, however many there are. */
const NEAR: Statement = {
  prepared: true,
  text: `
    select o.* from generate_series($3::int - 3, $3::int + 3) as y, lateral (
      (${OF_MODEL} and mileage >= $4 order by mileage limit 40)
      union all (${OF_MODEL} and mileage < $4 order by mileage desc limit 40)
      union all (${OF_MODEL} and mileage is null limit 10)) as o
    where o.vin <> $5`,
};
