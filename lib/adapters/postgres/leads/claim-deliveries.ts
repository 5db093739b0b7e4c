import type { DeliveryJob } from '../../../ports/leads/leads.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { claimByAccount } from '../jobs/claim-by-account.ts';

export function claimDeliveries(
  sql: Sql,
  kind: DeliveryJob['kind'],
  max: number,
  leaseSeconds: number,
): Promise<DeliveryJob[]> {
  if (!sql.isDistributed) return sql.query<DeliveryJob>(CLAIM, [kind, max, leaseSeconds]);
  return claimByAccount(sql, WAITING, [kind], max, (accountId, some) =>
    sql.query<DeliveryJob>(CLAIM_OF_ACCOUNT, [kind, some, leaseSeconds, accountId]),
  );
}

/** Tries of one kind at a time, for one dealer and for one account. */
const MAX_PER_DEALER = 2;
const MAX_PER_ACCOUNT = 4;

/**
 * Across all accounts, or within one by `scope`: clean enquiries before flagged ones, the longest due first, of a dealer only
 * a few. Two index steps per dealer with something pending, so that one who has thousands costs no more than the others. Each is locked by its key alone (`limit 1`): asked for what is
 * due as well, PostgreSQL may read all that is due for each. The attempt is counted here, so that one that crashes its
 * worker counts too.
 */
const claimStatement = (scope: string): Statement => ({
  text: `
    with recursive dealers as (
      (select account_id, dealer from lead_deliveries where ${scope} status = 'pending' and kind = $1
        order by account_id, dealer limit 1)
      union all
      select later.* from dealers d, lateral (
        select account_id, dealer from lead_deliveries
        where ${scope} status = 'pending' and kind = $1 and (account_id, dealer) > (d.account_id, d.dealer)
        order by account_id, dealer limit 1) as later
    ), leased as (
      select account_id, dealer, count(*) as count from lead_deliveries
      where ${scope} status = 'pending' and leased_until > now() and kind = $1 group by account_id, dealer
    ), due as (
      select q.*, row_number() over (partition by d.account_id, d.dealer order by q.suspicious, q.due_at)
        + coalesce(l.count, 0) as turn
      from dealers d left join leased l using (account_id, dealer), (values (false), (true)) as flag(suspicious), lateral (
        select account_id, lead_id, update_n, kind, suspicious, due_at from lead_deliveries
        where ${scope} status = 'pending' and kind = $1 and account_id = d.account_id and dealer = d.dealer
          and suspicious = flag.suspicious and due_at <= now()
        order by due_at limit ${MAX_PER_DEALER}) as q
    ), next as (
      select *, row_number() over (partition by account_id order by suspicious, due_at)
        + (select coalesce(sum(count), 0) from leased l where l.account_id = due.account_id) as account_turn
      from due where turn <= ${MAX_PER_DEALER}
    ), chosen as (
      select * from next where account_turn <= ${MAX_PER_ACCOUNT} order by account_turn, suspicious, due_at limit $2::int
    ), claimed as (
      select one.*, extract(epoch from now() - one.created_at)::float8 as age from chosen c, lateral (
        select account_id, lead_id, update_n, kind, status, due_at, created_at from lead_deliveries
        where ${scope} account_id = c.account_id and lead_id = c.lead_id and update_n = c.update_n and kind = c.kind
        limit 1 for update skip locked) as one
      where one.status = 'pending' and one.due_at <= now()
    )
    update lead_deliveries d set fence = d.fence + 1, attempts = d.attempts + 1,
      due_at = now() + make_interval(secs => $3::int), leased_until = now() + make_interval(secs => $3::int)
    from claimed c
    where ${scope && `d.${scope}`} d.account_id = c.account_id and d.lead_id = c.lead_id and d.update_n = c.update_n
      and d.kind = c.kind
    returning d.account_id as "accountId", d.lead_id as "leadId", d.update_n as "update", d.kind, d.attempts, d.fence,
      c.age as "ageSeconds"`,
});

const CLAIM = claimStatement('');
const CLAIM_OF_ACCOUNT = claimStatement('account_id = $4 and');

const WAITING: Statement = {
  text: `
    select account_id as id from lead_deliveries where status = 'pending' and kind = $1 and due_at <= now()
    group by account_id order by min(due_at) limit 100`,
};
