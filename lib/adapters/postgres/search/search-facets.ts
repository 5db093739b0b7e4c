import { PRICE_BANDS } from '../../../contract/price-bands.ts';
import type { Facet } from '../../../contract/search.ts';
import type { Statement } from '../connection/sql.ts';
import { FACET_KEY, FACET_PAIRS } from './facet-key.ts';
import type { Parts } from './search.ts';

/** Counting: from the cells and the changes that nobody has folded yet, or row by row. */

/** Facets by their column of a gathered or sampled row. */
const COLUMN_OF: Record<Facet, string> = {
  status: 'status',
  make: 'make',
  model: 'model',
  body_type: 'body_type',
  class: 'truck_class',
  year: 'model_year',
  price: 'band',
  condition: 'condition',
  fuel_type: 'fuel_type',
  state: 'state',
  dealer: 'dealer',
};
const COLUMNS = Object.entries(COLUMN_OF) as [Facet, string][];

/** Of a row `s` of `listing_search`: what is counted. */
export const LIVE_COLUMNS = COLUMNS.map(([, column]) =>
  column === 'band' ? `width_bucket(s.price, array[${PRICE_BANDS.join(', ')}]) as band` : `s.${column}`,
).join(', ');

/** Facets as the cells name them. */
const WIRE_NAME = `case facet when 'truck_class' then 'class' else facet end`;

/** `cells`, `unfolded` and `size` of a search by status, make and model only. */
export function storedCounts({ bind, bounds, filters: { status, make, model } }: Parts): string {
  const among = (column: string, values: readonly string[] | null) =>
    values === null ? [] : [`${column} = any(${bind(values)}::text[])`];
  const level = model === null ? [`c.model = ''`] : among('c.model', model);
  const told = make === null ? `c.facet <> 'model'` : 'true';
  return `
    unfolded as materialized (
      select n, ${FACET_KEY} from facet_deltas d where d.account_id = $1 limit ${bounds.unfolded + 1}
    ), kinds as materialized (
      select ${FACET_KEY}, sum(n)::int as n from unfolded k
      where ${[...among('k.status', status), ...among('k.make', make), ...among('k.model', model), 'true'].join(' and ')}
      group by ${FACET_KEY} having sum(n) <> 0
    ), cells as materialized (
      select ${WIRE_NAME} as facet, value, sum(n)::int as n from (
        select facet, value, n from facet_cells c
        where c.account_id = $1 and ${[...among('c.status', status), ...level, ...among('c.make', make), told].join(' and ')}
        union all
        select c.facet, c.value, k.n from kinds k, lateral (${FACET_PAIRS}) as c(facet, value)
        where c.value <> '' and ${told}
      ) counted group by facet, value having sum(n) <> 0
    ), size as materialized (
      select coalesce(sum(n), 0)::float8 as expected from cells where facet = 'make'
    )`;
}

/** `counts` of what was gathered, or else of the sample, scaled to all. */
export function liveCounts(gathered: number, withModels: boolean): string {
  const counted = COLUMNS.filter(([facet]) => withModels || facet !== 'model');
  const columns = counted.map(([, column]) => column).join(', ');
  const name = counted.map(([facet, column]) => `when grouping(${column}) = 0 then '${facet}'`).join(' ');
  const value = counted.map(([, column]) => `${column}::text`).join(', ');
  return `counts as (
      select facet, value, greatest(1, round(n * factor))::int as n from (
        select case ${name} end as facet, coalesce(${value}) as value, count(*) as n from (
          select ${columns} from few where not (select many from way)
          union all select ${columns} from sample where (select many from way)
        ) seen group by grouping sets (${counted.map(([, column]) => `(${column})`).join(', ')})
      ) grouped, (
        select case when many then 1 / share when walked then greatest(1, expected / ${gathered}) else 1 end as factor
        from way, rest_end
      ) scale where value is not null
    )`;
}

/** Makes and models by the cells and by what is not folded yet. */
export const NAMES_OF_COUNTS: Statement = {
  text: `
    select distinct make, model from (
      select c.make, case when c.facet = 'model' then c.value else '' end as model from facet_cells c
      where c.account_id = $1 and c.model = '' and c.facet in ('make', 'model') and c.n <> 0
      union all
      (select d.make, d.model from facet_deltas d where d.account_id = $1 limit $2::int)
    ) name`,
};
