import { IMAGES, TIMES } from '../../inventory/queries/listing-json.ts';
import { RECORD_VERSION } from '../../inventory/queries/record-version.ts';
import { FACET_NAMES, type FacetName, searchColumnFor } from '../../truck/record/record.ts';
import { PRICE_BANDS } from '../price-bands.ts';
import type { SearchRequest } from '../request.ts';
import { type Bind, hasWords, searchConditions } from './search-conditions.ts';
import { isAfter, timeText, toOrder } from './search-order.ts';

/** Most bytes of a page's listings: the platform sends no answer of more than 4.5 MB. */
const MAX_PAGE_BYTES = 3_800_000;

/**
 * The one statement of a search. `matching` holds up to `cap` listings and one, found by whatever index is narrowest: they
 * are counted, and the page is sorted out of them. Only when there are more, the page is read from the table in its order.
 */
export function searchStatement(accountId: string, request: SearchRequest, cap: number) {
  const values: unknown[] = [accountId];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const order = toOrder(request, bind);
  const { filters, limit, after } = request;
  const conditions = searchConditions(accountId, filters, bind);
  const byIndex = [...conditions, ...hasWords('by index', accountId, filters, bind)].join(' and ');
  const byRow = [...conditions, ...hasWords('by row', accountId, filters, bind)].join(' and ');
  const inOrder = `key ${order.direction}, dedup_hash ${order.direction}`;
  // One more than the page shows tells whether there is another.
  const rows = `order by ${inOrder} limit ${limit + 1}`;
  const facets = request.facets ? FACET_NAMES.filter((facet) => facet !== 'model' || filters.make) : [];
  const text = `
    with matching as materialized (
      select ${['s.dedup_hash', `${order.key} as key`, ...facets.map(facetColumn)].join(', ')}
      from listing_search s where s.account_id = $1 and ${byIndex} limit ${cap + 1}
    ), total as materialized (
      select count(*)::int as n from matching
    ), page as materialized (
      select dedup_hash, key, row_number() over (order by ${inOrder}) as at from (
        (select dedup_hash, key from matching
          where (select n from total) <= ${cap} and ${isAfter(order, 'key', after, bind)} ${rows})
        union all
        (select s.dedup_hash, ${order.key} as key from listing_search s
          where s.account_id = $1 and (select n from total) > ${cap} and ${byRow}
            and ${isAfter(order, order.key, after, bind)} ${rows})
      ) sorted
    ), answered as materialized (
      select * from (
        select p.*, t.json, t.is_current, sum(octet_length(t.json)) over (order by p.at) as bytes
        from page p join listings l on l.account_id = $1 and l.dedup_hash = p.dedup_hash, lateral (
          select left(l.doc::text, -1) || ',' || substr(${membersBesideDocument(request)}::text, 2) as json,
            l.record_version = '${RECORD_VERSION}' as is_current
        ) t
        where p.at <= ${limit}
      ) written where bytes <= ${MAX_PAGE_BYTES} or at = 1
    )
    select (select string_agg(json, ',' order by at) from answered) as listings,
      (select coalesce(bool_and(is_current), true) from answered) as are_current,
      (select json_build_object('key', ${order.type === 'timestamptz' ? timeText('key') : 'key::text'}, 'dedupHash', encode(dedup_hash, 'hex'))
        from answered
        where (select count(*) from page) > (select count(*) from answered) order by at desc limit 1) as next,
      (select n from total) as total, ${facets.length > 0 ? countFacets(facets, cap) : 'null'} as facets`;
  return { text, values };
}

const facetColumn = (facet: FacetName) =>
  facet === 'price'
    ? `width_bucket(s.price, array[${PRICE_BANDS.join(', ')}]) as price`
    : `s.${searchColumnFor(facet)} as "${facet}"`;

/** A JSON array of (facet, value, count), the most frequent first. */
function countFacets(facets: readonly FacetName[], cap: number) {
  const columns = facets.map((facet) => `"${facet}"`);
  const name = facets.map((facet) => `when grouping("${facet}") = 0 then '${facet}'`).join(' ');
  return `(
      select json_agg(json_build_array(facet, value, n) order by n desc, value) from (
        select case ${name} end as facet, coalesce(${columns.map((column) => `${column}::text`).join(', ')}) as value,
          count(*)::int as n
        from (select * from matching limit ${cap}) counted
        group by grouping sets (${columns.map((column) => `(${column})`).join(', ')})
      ) values where value is not null)`;
}

/** The members of a listing that stand outside its document. */
const membersBesideDocument = ({ withoutImages = false }: SearchRequest) =>
  `json_build_object('quality', l.quality, ${withoutImages ? '' : `'images', ${IMAGES}, `}'status', l.status, ${TIMES})`;
