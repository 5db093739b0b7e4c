import { LockTimeout } from '../../../ports/faults.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { locked, lockTimeout } from '../listings/row-locks.ts';
import { CHANGED_NOW } from '../listings/search-row.ts';

interface Settled {
  accountId: string;
  urls: string[];
  listings: string[];
}

/**
 * Has listings whose images were settled count as changed, once for all of their images. The two statements lock rows of
 * one table each, so that they cannot wait in a circle with a batch, which locks listings first; cut off between them,
 * the listings are announced twice.
 */
export async function announceSettled(sql: Sql): Promise<number> {
  let announced = 0;
  for (const { accountId, urls, listings } of await sql.query<Settled>(SETTLED)) {
    try {
      await sql.query(TOUCH, [accountId, JSON.stringify(listings)]);
    } catch (error) {
      if (error instanceof LockTimeout) continue;
      throw error;
    }
    await sql.query(FORGET_WAITING, [accountId, JSON.stringify(urls)]);
    announced += urls.length;
  }
  return announced;
}

/** Across all accounts: ids and hashes only. */
const SETTLED: Statement = {
  role: 'job',
  text: `
    with settled as (
      select account_id, url_hash, waiting from image_sources where status <> 'pending' and waiting is not null limit 1000
    )
    select account_id as "accountId", json_agg(distinct encode(url_hash, 'hex')) as urls,
      json_agg(distinct encode(hash, 'hex')) as listings
    from settled, unnest(waiting) as hash group by account_id`,
};

const TOUCH: Statement = {
  role: 'job',
  text: `
    with ${lockTimeout('5s')}, target as materialized (${locked(`
      select l.dedup_hash from lock_timeout, listings l
      where l.account_id = $1 and l.version > 0
        and l.dedup_hash in (select decode(hash, 'hex') from json_array_elements_text($2::json) as named(hash))
      order by l.dedup_hash for update of l`)}
    ), touched as (
      update listings l set updated_at = now() from target t where l.account_id = $1 and l.dedup_hash = t.dedup_hash
    )
    update listing_search s set ${CHANGED_NOW} from target t
    where s.account_id = $1 and s.dedup_hash = t.dedup_hash`,
};

/** One that was queued anew meanwhile keeps who waits for it. */
const FORGET_WAITING: Statement = {
  role: 'job',
  text: `
    update image_sources s set waiting = null
    where s.account_id = $1 and s.status <> 'pending'
      and s.url_hash in (select decode(hash, 'hex') from json_array_elements_text($2::json) as named(hash))`,
};
