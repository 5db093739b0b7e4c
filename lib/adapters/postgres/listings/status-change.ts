import { DIRTIED_BY_STATUS } from '../market/market-key.ts';
import { FACET_KEY, FACET_KEY_BUT_STATUS, facetKey } from '../search/facet-key.ts';

/**
 * What follows when listings of account $1 turn to a status: search rows, facet changes, market marks and history, as
 * common table expressions after `changed` (dedup_hash, version, price, was). `status`: a parameter or a literal.
 */
export const followsStatus = (status: string) => `searched as (
      update listing_search s set status = ${status}, updated_at = now() from changed c
      where s.account_id = $1 and s.dedup_hash = c.dedup_hash
      returning c.was, ${facetKey('s')}
    ), counted as (
      insert into facet_deltas (account_id, n, ${FACET_KEY})
      select $1, turn.n, case when turn.n > 0 then status else was end, ${FACET_KEY_BUT_STATUS}
      from searched, (values (1), (-1)) as turn(n)
    ), ${DIRTIED_BY_STATUS}, logged as (
      insert into listing_events (account_id, dedup_hash, version, kind, at, old_price, new_price)
      select $1, dedup_hash, version, ${status}, now(), price, price from changed
    )`;
