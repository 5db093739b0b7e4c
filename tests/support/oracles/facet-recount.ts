import { FACET_KEY, FACET_PAIRS, facetKey } from '../../../lib/adapters/postgres/search/facet-key.ts';
import { queryRows } from '../service/database.ts';

/**
 * Where what is counted (cells and pending deltas) differs from a count of the search rows, or those from the
 * documents, in one statement and so at one moment. Nothing, whenever it is asked; an account without cells has none.
 */
export function facetFaults(accountId: string): Promise<Record<string, unknown>[]> {
  const cells = (from: string) => `
    select k.status, k.make, level.model, pair.facet, pair.value, sum(k.n)::int as n
    from (${from}) k, lateral (${FACET_PAIRS}) as pair(facet, value),
      lateral (select '' as model union all select k.model where k.model <> '') level
    where pair.value <> '' group by 1, 2, 3, 4, 5`;
  return queryRows(
    `with counted as (
      select status, make, model, facet, value, sum(n)::int as n from (
        select status, make, model, facet, value, n from facet_cells where account_id = $1
        union all ${cells(`select n, ${FACET_KEY} from facet_deltas where account_id = $1`)}
      ) both_parts group by 1, 2, 3, 4, 5 having sum(n) <> 0
    ), recount as (
      ${cells(`select 1 as n, ${facetKey('s')} from listing_search s where s.account_id = $1`)}
    ), strays as (
      select count(*)::int as n from (select * from listings where account_id = $1) l
        full join (select * from listing_search where account_id = $1) s on s.dedup_hash = l.dedup_hash
      where l.version is distinct from 0 and (
        l.version is null or s.status is distinct from l.status or s.price is distinct from l.price
        or s.make is distinct from l.doc->>'make' or s.model is distinct from l.doc->>'model')
    )
    (select 'counted' as what, c.* from (select * from counted except select * from recount) c
      where exists (select 1 from facet_cells where account_id = $1))
    union all (select 'recount', r.* from (select * from recount except select * from counted) r
      where exists (select 1 from facet_cells where account_id = $1))
    union all select 'stray', '', '', '', '', '', n from strays where n > 0`,
    [accountId],
  );
}
