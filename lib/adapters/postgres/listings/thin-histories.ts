import type { Statement } from '../connection/sql.ts';

/**
 * Prices of the API that stood for part of a day, of account $1, at most $2 of them; the day's last one stays. What a
 * feed's run did stays too: runs are listed with their changes.
 */
export const THIN_HISTORIES: Statement = {
  role: 'job',
  text: `
    with passing as (
      select e.dedup_hash, e.version from listing_events e
      where e.account_id = $1 and e.kind = 'changed' and e.run_no is null and e.at < now() - interval '2 days'
        and exists (
          select 1 from listing_events n where n.account_id = $1 and n.dedup_hash = e.dedup_hash
            and n.version > e.version and n.kind = 'changed' and date_trunc('day', n.at) = date_trunc('day', e.at))
      limit $2
    )
    delete from listing_events e using passing p
    where e.account_id = $1 and e.dedup_hash = p.dedup_hash and e.version = p.version and e.kind = 'changed'
    returning 1 as one`,
};
