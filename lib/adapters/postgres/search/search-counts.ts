import { searchColumn } from '../../../contract/record/record.ts';
import { FACETS, type Facet, SEARCH_LIMITS } from '../../../contract/search.ts';
import type { SearchFilters, SearchRequest, SearchResult } from '../../../ports/search.ts';
import type { Sql } from '../connection/sql.ts';
import { bandSql, FACET_KEY, FACET_PAIRS } from './facet-key.ts';

/** Facets: counted row by row, or read from the cells and the changes that are not folded into them yet. */

const countedColumn = (facet: Facet) => (facet === 'price' ? 'price_band' : searchColumn(facet));

/** Models only within a make. */
const countedFacets = ({ make }: SearchFilters) =>
  FACETS.filter((facet) => facet !== 'model' || make !== null);

/** What is counted of a row `s` of `listing_search`. */
export const countedColumns = (filters: SearchFilters) =>
  countedFacets(filters)
    .map((facet) => (facet === 'price' ? `${bandSql('s.price')} as price_band` : `s.${countedColumn(facet)}`))
    .join(', ');

/** Facets of rows with `countedColumns`, as a JSON array of (facet, value, count). */
export function countFacets(rows: string, filters: SearchFilters): string {
  const facets = countedFacets(filters);
  const columns = facets.map((facet) => countedColumn(facet));
  const name = facets.map((facet) => `when grouping(${countedColumn(facet)}) = 0 then '${facet}'`).join(' ');
  return mostFrequent(`
    select case ${name} end as facet, coalesce(${columns.map((column) => `${column}::text`).join(', ')}) as value,
      count(*)::int as n
    from ${rows} group by grouping sets (${columns.map((column) => `(${column})`).join(', ')})`);
}

const mostFrequent = (counts: string) => `
  (select json_agg(json_build_array(facet, value, n) order by n desc, value) from (
    select facet, value, n, row_number() over (partition by facet order by n desc, value) as place
    from (${counts}) counted where value is not null
  ) ranked where place <= ${SEARCH_LIMITS.facetValues})`;

type FacetRows = [string, string, number][] | null;

/** As the port has them. */
export const toFacets = (rows: FacetRows): SearchResult['facets'] =>
  (rows ?? []).flatMap(([name, value, count]) => {
    const facet = FACETS.find((known) => known === name);
    return facet === undefined ? [] : [[facet, value, count] as const];
  });

/** True when nothing is asked for but what the cells are kept by. */
export function isCountedByCells({ status: _, make: __, model: ___, ...others }: SearchFilters): boolean {
  return Object.values(others).every((filter) => filter === null);
}

export type CellCounts = Pick<SearchResult, 'count' | 'facets' | 'pending'>;

/** Exact counts by status, make and model; null when the account has no cells, or too many changes beside them. */
export async function countByCells(
  sql: Sql,
  accountId: string,
  request: SearchRequest,
  maxPending: number,
): Promise<CellCounts | null> {
  const { status, make, model } = request.filters;
  const [row] = await sql.query<{ has_cells: boolean; pending: number; total: number; facets: FacetRows }>(
    { text: readCells(make !== null) },
    [accountId, maxPending + 1, status, make, model],
  );
  if (!row?.has_cells || row.pending > maxPending) return null;
  const { total, pending } = row;
  return { count: { value: total, exact: true }, facets: toFacets(row.facets), pending };
}

const isAsked = (row: string) => `${row}.status = any($3::text[])
        and ($4::text[] is null or ${row}.make = any($4)) and ($5::text[] is null or ${row}.model = any($5))`;

function readCells(withModels: boolean): string {
  const shown = withModels ? 'true' : `facet <> 'model'`;
  return `
    with has_cells as materialized (
      select exists (select 1 from facet_cells c where c.account_id = $1) as yes
    ), changes as materialized (
      select n, ${FACET_KEY} from facet_deltas d
      where d.account_id = $1 and (select yes from has_cells) limit $2
    ), counted as materialized (
      select case facet when 'truck_class' then 'class' else facet end as facet, value, sum(n)::int as n from (
        select facet, value, n from facet_cells c
        where c.account_id = $1 and c.status = any($3::text[]) and ($4::text[] is null or c.make = any($4))
          and c.model = any(coalesce($5::text[], array['']))
        union all
        select pair.facet, pair.value, k.n from (
          select ${FACET_KEY}, sum(n)::int as n from changes k where ${isAsked('k')}
          group by ${FACET_KEY} having sum(n) <> 0
        ) k, lateral (${FACET_PAIRS}) as pair(facet, value) where pair.value <> ''
      ) parts where ${shown} group by facet, value having sum(n) <> 0
    )
    select (select yes from has_cells) as has_cells, (select count(*)::int from changes) as pending,
      (select coalesce(sum(n), 0)::int from counted where facet = 'make') as total,
      ${mostFrequent('select * from counted')} as facets`;
}
