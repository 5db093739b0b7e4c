import type { ImageJob } from '../../../ports/images.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { claimByAccount } from '../jobs/claim-by-account.ts';

/** Claims of images: sound ones, or suspects whose last worker vanished. */
export async function claimImages(
  sql: Sql,
  limit: number,
  leaseSeconds: number,
  which: 'sound' | 'suspects',
): Promise<ImageJob[]> {
  if (sql.isDistributed) return claimOfCluster(sql, limit, leaseSeconds, which);
  if (which === 'sound') return sql.query<ImageJob>(CLAIM, [limit, leaseSeconds]);
  const { park, claim } = SUSPECTS;
  await sql.query(park, [MAX_CLAIMS]);
  return sql.query<ImageJob>(claim, [limit, leaseSeconds]);
}

function claimOfCluster(
  sql: Sql,
  limit: number,
  leaseSeconds: number,
  which: 'sound' | 'suspects',
): Promise<ImageJob[]> {
  const { park, claim } = which === 'sound' ? { park: null, claim: CLAIM_OF_ACCOUNT } : SUSPECTS_OF_ACCOUNT;
  return claimByAccount(sql, WAITING, [which === 'suspects'], limit, async (accountId, some) => {
    if (park) await sql.query(park, [MAX_CLAIMS, accountId]);
    return sql.query<ImageJob>(claim, [some, leaseSeconds, accountId]);
  });
}

/** Workers that may vanish over one image before it is parked. */
const MAX_CLAIMS = 3;

const JOB = `s.account_id as "accountId", s.url, s.host, s.attempts, s.fence`;
const LEASED = 'fence = s.fence + 1, claims = s.claims + 1, due_at = now() + make_interval(secs => $2::int)';

/**
 * Across all accounts in turn, of each the longest due first: one index step per account with something pending, so that
 * thousands of images on a slow host keep nobody else's waiting. Each is locked by its key alone (`limit 1`): asked for what is
 * due as well, PostgreSQL may read all that is due for each of them.
 */
const CLAIM: Statement = {
  role: 'job',
  text: `
    with recursive accounts as (
      (select account_id from image_sources where status = 'pending' and claims = 0 order by account_id limit 1)
      union all
      select later.account_id from accounts a, lateral (
        select account_id from image_sources
        where status = 'pending' and claims = 0 and account_id > a.account_id order by account_id limit 1) as later
    ), next as (
      select q.*, row_number() over (partition by q.account_id order by q.due_at) as turn
      from accounts a, lateral (
        select account_id, url_hash, due_at from image_sources
        where status = 'pending' and claims = 0 and account_id = a.account_id and due_at <= now()
        order by due_at limit $1::int) as q
      order by turn, due_at limit $1::int
    )
    update image_sources s set ${LEASED}
    from (select one.* from next n, lateral (
        select account_id, url_hash, status, claims, due_at from image_sources
        where account_id = n.account_id and url_hash = n.url_hash limit 1 for update skip locked) as one
      where one.status = 'pending' and one.claims = 0 and one.due_at <= now()) as due
    where s.account_id = due.account_id and s.url_hash = due.url_hash
    returning ${JOB}`,
};

/** Those that are due, the longest first; `scope`: of one account. Chosen once, whatever the plan: a second look takes others. */
const claimDue = (claims: string, scope: string): Statement => ({
  role: 'job',
  text: `
    with due as materialized (
      select account_id, url_hash from image_sources
      where ${scope} status = 'pending' and claims ${claims} and due_at <= now()
      order by due_at limit $1::int for update skip locked
    )
    update image_sources s set ${LEASED} from due
    where ${scope && `s.${scope}`} s.account_id = due.account_id and s.url_hash = due.url_hash
    returning ${JOB}`,
});

/** What stopped one worker after the other is left alone. */
const park = (scope: string): Statement => ({
  role: 'job',
  text: `
    update image_sources s set status = 'failed', reason = 'parked', updated_at = now()
    from (select account_id, url_hash from image_sources where ${scope} status = 'pending' and claims >= $1::int
      and due_at <= now() for update skip locked) as poison
    where ${scope && `s.${scope}`} s.account_id = poison.account_id and s.url_hash = poison.url_hash`,
});

const CLAIM_OF_ACCOUNT = claimDue('= 0', 'account_id = $3 and');
/** Those whose lease ran out without a verdict. */
const SUSPECTS = { park: park(''), claim: claimDue('> 0', '') };
const SUSPECTS_OF_ACCOUNT = {
  park: park('account_id = $2 and'),
  claim: claimDue('> 0', 'account_id = $3 and'),
};

const WAITING: Statement = {
  role: 'job',
  text: `
    select account_id as id from image_sources where status = 'pending' and (claims > 0) = $1::boolean and due_at <= now()
    group by account_id order by min(due_at) limit 100`,
};
