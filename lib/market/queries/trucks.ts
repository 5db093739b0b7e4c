import type { Sql, Statement } from '../../db/sql.ts';
import { markExcluded } from '../figures/market-sample.ts';
import type { MarketFilter } from '../filters.ts';
import { latestByVin, roundColumn, type ScanRow, scan, scanStatements, toModelKey } from './scan.ts';

/** Reads trucks for sale. Only this file, histories.ts and prices-alike.ts read other accounts' listings for a caller. */

/** A truck for sale of another account, with rounded price and mileage. Unknown texts are ''. */
interface OtherRow extends ScanRow {
  year: number;
  model: string;
  truckClass: string;
  body: string;
  /** `sleeper`, `crew` and the like. */
  cab: string;
  state: string;
  condition: string;
  /** Null is call-for-price. */
  price: number | null;
  mileage: number | null;
}

/**
 * Reads available trucks of accounts in the market other than the caller, each VIN once: at most `max`, and a random sample
 * if there are more. `count` is the number of all. Answers may only contain what passes market-rule.ts.
 */
export async function findOthers(db: Sql, caller: string, filter: MarketFilter, max: number) {
  const { trucks, oneIn } = await scan<OtherRow>(db, OTHERS, caller, filter, max, listFilterValues(filter));
  const unique = latestByVin(trucks);
  return { trucks: markExcluded(unique, max, oneIn), count: unique.length * oneIn, oneIn };
}

/** The values of a filter other than make, model and years, in the order of the parameters below. */
const listFilterValues = (filter: MarketFilter) => [
  filter.class,
  filter.body_type,
  filter.state,
  filter.condition,
  filter.fuel_type,
  filter.mileage_min,
  filter.mileage_max,
];

/** Filters compare the rounded mileage: exact bounds would reveal more than the figures do. */
const OTHERS = scanStatements({
  status: `'available'`,
  columns: 'model, cab_kind, truck_class, body_type, state, condition, fuel_type, price, mileage',
  output: `s.model_year as year, coalesce(s.model, '') as model, coalesce(s.cab_kind, '') as cab,
      coalesce(s.truck_class, '') as "truckClass", coalesce(s.body_type, '') as body,
      coalesce(s.state, '') as state, coalesce(s.condition, '') as condition,
      ${roundColumn('price')} as price, ${roundColumn('mileage')} as mileage`,
  where: `($7::text is null or s.truck_class = $7) and ($8::text is null or s.body_type = $8)
      and ($9::text is null or s.state = $9) and ($10::text is null or coalesce(s.condition, 'unknown') = $10)
      and ($11::text is null or s.fuel_type = $11) and ($12::int is null or ${roundColumn('mileage')} >= $12)
      and ($13::int is null or ${roundColumn('mileage')} <= $13)`,
});

type OwnFigures = Record<'p10' | 'p25' | 'p50' | 'p75' | 'p90' | 'mean' | 'min' | 'max', number | null>;

/** Summarizes the caller's available trucks except one, exactly: in total and by model year. */
export async function summarizeOwn(db: Sql, caller: string, filter: MarketFilter, exceptVin = '') {
  const { make, model, year_min, year_max } = filter;
  const values = [caller, make, model, year_min, year_max, ...listFilterValues(filter), exceptVin];
  const [total, ...years] = await db.query<{
    year: number;
    count: number;
    price: OwnFigures & { count: number };
    mileage: OwnFigures & { count: number };
  }>(
    OWN,
    values.map((value) => value ?? null),
  );
  if (!total) throw new Error('the summary returned no row');
  const by_year = years.map(({ year, count, price, mileage }) => ({
    year,
    count,
    price_p50: price.p50,
    mileage_p50: mileage.p50,
  }));
  return { count: total.count, price: total.price, mileage: total.mileage, by_year };
}

const figures = (column: 'price' | 'mileage') => {
  const quantiles = [10, 25, 50, 75, 90].map(
    (percent) =>
      `'p${percent}', round((percentile_cont(${percent / 100}) within group (order by ${column}))::numeric)`,
  );
  return `json_build_object('count', count(${column}), ${quantiles.join(', ')},
      'mean', round(avg(${column})), 'min', min(${column}), 'max', max(${column})) as ${column}`;
};

const OWN_PRICE = 'case when market_level is not null then price end';

/**
 * Filters by exact values; of several listings of a VIN the latest counts. A price that is suspicious or in another currency
 * is left out, but its truck counts.
 */
const OWN: Statement = {
  text: `
    with mine as (
      select distinct on (vin) model_year as year, ${OWN_PRICE} as price, mileage from listing_search
      where account_id = $1 and status = 'available'
        and ($2::text is null or make = $2) and ($3::text is null or ${toModelKey('model')} = ${toModelKey('$3::text')})
        and ($4::int is null or model_year >= $4) and ($5::int is null or model_year <= $5)
        and ($6::text is null or truck_class = $6) and ($7::text is null or body_type = $7)
        and ($8::text is null or state = $8) and ($9::text is null or coalesce(condition, 'unknown') = $9)
        and ($10::text is null or fuel_type = $10) and ($11::int is null or mileage >= $11)
        and ($12::int is null or mileage <= $12) and vin <> $13
      order by vin, ${OWN_PRICE} is null, updated_at desc
    )
    select year, count(*)::int as count, ${figures('price')}, ${figures('mileage')}
    from mine group by grouping sets ((), (year)) order by grouping(year) desc, year`,
};
