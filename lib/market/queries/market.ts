import type { Sql, Statement } from '../../db/sql.ts';
import { EMPTY, QUANTILES, type Spread } from '../figures/market-figures.ts';
import type { MarketFilter } from '../figures/market-filter.ts';
import { weighSample } from '../figures/market-sample.ts';
import type { Market, MarketTruck, OwnSpread } from '../port.ts';
import { othersHistories, ownHistories } from './market-histories.ts';
import { latestByVin, modelKey, rounded, type ScanRow, scan, scanStatements } from './market-scan.ts';

/** Market data: with market-histories.ts the one place that reads listings across accounts for a caller. */
export function postgresMarket(sql: Sql): Market {
  return {
    async others(caller, filter, max) {
      const { make, model, yearMin, yearMax } = filter;
      const scope = { caller, make, model, yearMin, yearMax, max };
      const { trucks, oneIn } = await scan<OtherRow>(sql, OTHERS, scope, narrowing(filter));
      const listed = latestByVin(trucks);
      return { trucks: weighSample(listed, max, oneIn), count: listed.length * oneIn, oneIn };
    },

    async own(caller, filter, exceptVin = '') {
      const { make, model, yearMin, yearMax } = filter;
      const scope = [caller, make, model, yearMin, yearMax];
      const rows = await sql.query<OwnRow>(OWN, [...scope, ...narrowing(filter), exceptVin]);
      return rows.map(toOwnSpread);
    },

    othersHistories: (caller, kind, since) => othersHistories(sql, caller, kind, since),
    ownHistories: (caller, kind, since) => ownHistories(sql, caller, kind, since),
  };
}

/** What a filter asks beside make, model and years, in the order in which the statements below number it. */
const narrowing = (filter: MarketFilter) => [
  filter.truckClass,
  filter.body,
  filter.state,
  filter.condition,
  filter.fuel,
  filter.mileageMin,
  filter.mileageMax,
];

type OtherRow = Omit<MarketTruck, 'weighsNothing'> & ScanRow;

/** Filters judge the rounded mileage too: exact bounds would place it better than the figures do. */
const OTHERS = scanStatements({
  status: `'available'`,
  columns: 'model, cab_kind, truck_class, body_type, state, condition, fuel_type, price, mileage',
  output: `s.model_year as year, ${modelKey('s.model')} as model, coalesce(s.cab_kind, '') as cab,
      coalesce(s.truck_class, '') as "truckClass", coalesce(s.body_type, '') as body,
      coalesce(s.state, '') as state, coalesce(s.condition, '') as condition,
      ${rounded('price')} as price, ${rounded('mileage')} as mileage`,
  where: `($7::text is null or s.truck_class = $7) and ($8::text is null or s.body_type = $8)
      and ($9::text is null or s.state = $9) and ($10::text is null or s.condition = $10)
      and ($11::text is null or s.fuel_type = $11) and ($12::int is null or ${rounded('mileage')} >= $12)
      and ($13::int is null or ${rounded('mileage')} <= $13)`,
});

interface OwnRow {
  year: number | null;
  count: number;
  priced: number;
  price_quantiles: number[] | null;
  price_mean: number | null;
  price_min: number | null;
  price_max: number | null;
  known: number;
  mileage_quantiles: number[] | null;
  mileage_mean: number | null;
  mileage_min: number | null;
  mileage_max: number | null;
}

function toOwnSpread(row: OwnRow): OwnSpread {
  const spread = (count: number, quantiles: number[] | null, ...ends: (number | null)[]): Spread => {
    const [mean = null, min = null, max = null] = ends;
    return count === 0 ? EMPTY : { count, quantiles, mean, min, max };
  };
  const { year, count, priced, known } = row;
  return {
    year,
    count,
    price: spread(priced, row.price_quantiles, row.price_mean, row.price_min, row.price_max),
    mileage: spread(known, row.mileage_quantiles, row.mileage_mean, row.mileage_min, row.mileage_max),
  };
}

const figures = (column: 'price' | 'mileage') => `
      to_json(percentile_cont(array[${Object.values(QUANTILES).join(', ')}]::float8[]) within group (order by ${column}))
        as ${column}_quantiles,
      avg(${column})::float8 as ${column}_mean, min(${column}) as ${column}_min, max(${column}) as ${column}_max`;

const OWN_PRICE = 'case when market_level is not null then price end';

/**
 * Filters by exact values; of several listings of a VIN the latest counts. A price that others do not see either (suspicious,
 * or in another currency) is no figure in dollars: its truck counts without it.
 */
const OWN: Statement = {
  text: `
    with mine as (
      select distinct on (vin) model_year as year, ${OWN_PRICE} as price, mileage from listing_search
      where account_id = $1 and status = 'available'
        and ($2::text is null or make = $2) and ($3::text is null or ${modelKey('model')} = ${modelKey('$3::text')})
        and ($4::int is null or model_year >= $4) and ($5::int is null or model_year <= $5)
        and ($6::text is null or truck_class = $6) and ($7::text is null or body_type = $7)
        and ($8::text is null or state = $8) and ($9::text is null or condition = $9)
        and ($10::text is null or fuel_type = $10) and ($11::int is null or mileage >= $11)
        and ($12::int is null or mileage <= $12) and vin <> $13
      order by vin, ${OWN_PRICE} is null, updated_at desc
    )
    select year, count(*)::int as count, count(price)::int as priced, count(mileage)::int as known,
      ${figures('price')}, ${figures('mileage')}
    from mine group by grouping sets ((), (year)) order by grouping(year) desc, year`,
};
