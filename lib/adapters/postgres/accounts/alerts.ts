import type { AccountNotice, Alerts, DueAlert } from '../../../ports/accounts/alerts.ts';
import type { Person } from '../../../ports/accounts/people.ts';
import { START_MOMENT } from '../connection/moments.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { claimByAccount } from '../jobs/claim-by-account.ts';
import { A_DAY_AFTER_MAIL } from './raise-alert.ts';

/** At most one mail of each kind a day goes to the owners of an account. */
export function postgresAlerts(sql: Sql): Alerts {
  return {
    raiseForIssues: async () => (await sql.query(RAISE_FOR_ISSUES)).length,
    claim: (max) =>
      sql.isDistributed
        ? claimByAccount(sql, WAITING, [], max, (accountId, some) =>
            sql.query<DueAlert>(CLAIM_OF_ACCOUNT, [some, accountId]),
          )
        : sql.query<DueAlert>(CLAIM, [max]),
    async unsent({ accountId, kind }, retryMinutes) {
      await sql.query(UNSENT, [accountId, kind, retryMinutes]);
    },
    of: (accountId) => ({
      recipients: () => sql.query<Pick<Person, 'id' | 'email'>>(RECIPIENTS, [accountId]),
      async notice({ action, target, requestId }) {
        const [notice] = await sql.query<AccountNotice>(NOTICE, [accountId, target, action, requestId]);
        return notice ?? null;
      },
      setWanted: async (personId, wanted) =>
        (await sql.query(SET_WANTED, [accountId, personId, wanted])).length > 0,
    }),
  };
}

/** Across all accounts, once an hour. An account's first issues count as after a clean day. */
const RAISE_FOR_ISSUES: Statement = {
  role: 'job',
  text: `
    with noted as (
      insert into owner_alerts as a (account_id, kind, seen_at, due_at)
      select account_id, 'issues', now(), now() from issues where left_out_at is null group by account_id
      on conflict (account_id, kind) do update set seen_at = excluded.seen_at,
        due_at = case when excluded.seen_at - a.seen_at < interval '1 day' then a.due_at
          else coalesce(a.due_at, greatest(excluded.due_at, ${A_DAY_AFTER_MAIL})) end
      returning due_at
    )
    select 1 as one from noted where due_at is not null`,
};

/** Across all accounts, or within one by `scope`. */
const claimStatement = (scope: string): Statement => ({
  role: 'job',
  text: `
    with due as materialized (
      select account_id, kind from owner_alerts where ${scope} due_at <= now()
      order by due_at limit $1::int for update skip locked
    )
    update owner_alerts a set sent_at = now(), due_at = null from due
    where ${scope && `a.${scope}`} a.account_id = due.account_id and a.kind = due.kind
    returning a.account_id as "accountId", a.kind`,
});
const CLAIM = claimStatement('');
const CLAIM_OF_ACCOUNT = claimStatement('account_id = $2 and');

const WAITING: Statement = {
  role: 'job',
  text: `
    select account_id as id from owner_alerts where due_at <= now()
    group by account_id order by min(due_at) limit 100`,
};

/** What was raised meanwhile need not wait for a day. */
const UNSENT: Statement = {
  text: `
    update owner_alerts set sent_at = null,
      due_at = coalesce(retry.at, case when due_at is not null then moment.at end)
    from ${START_MOMENT}, (select now() + make_interval(mins => $3::int) as at) retry where account_id = $1 and kind = $2`,
};

const RECIPIENTS: Statement = {
  text: `
    select p.id, p.email from people p join accounts a on a.id = p.account_id
    where p.account_id = $1 and p.role = 'owner' and p.alerts and p.confirmed_at is not null
      and not a.test and not a.suspended
    order by p.email limit 20`,
};

const NOTICE: Statement = {
  text: `
    select a.name as account, n.detail, tp.role, tk.kind,
      case when n.actor <> 'operator' then coalesce(p.email, k.name, k.prefix, 'a former person') end as actor,
      case when n.target <> $1 then coalesce(tp.email, tk.name, tk.prefix, n.detail->>'email', n.target) end as target,
      to_jsonb(array(
        select o.email from people o
        where o.account_id = $1 and o.confirmed_at is not null and o.id <> n.actor
          and (o.role = 'owner' or o.id = n.target)
        order by o.id = n.target desc, o.created_at, o.id limit 20)) as recipients
    from audit n join accounts a on a.id = n.account_id
      left join people p on p.id = n.actor and p.account_id = n.account_id
      left join api_keys k on k.id = n.actor and k.account_id = n.account_id
      left join people tp on tp.id = n.target and tp.account_id = n.account_id
      left join api_keys tk on tk.id = n.target and tk.account_id = n.account_id
    where n.account_id = $1 and n.target = $2 and n.action = $3 and n.request_id = $4 and not a.test limit 1`,
};

const SET_WANTED: Statement = {
  text: `
    with person as (
      update people set alerts = $3::boolean where account_id = $1 and id = $2 returning email
    ), again as (
      delete from ended_alerts where account_id = $1 and email in (select email from person) and $3::boolean
    )
    select 1 as one from person`,
};
