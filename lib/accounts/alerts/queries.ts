import { HOME } from '../../db/fragments.ts';
import { A_DAY_AFTER_MAIL } from '../../db/jobs/enqueue.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import type { Person } from '../people/queries.ts';
import type { AuditEntry } from '../queries/audit.ts';
import type { AlertKind } from './kinds.ts';

/** Each alert is a job; feed runs and lead deliveries raise theirs in the statement that ends them. */

/** Across all accounts, once an hour: raises those that have issues after a day without any; returns how many. */
export const raiseIssueAlerts = (db: Sql): Promise<number> =>
  db.transaction(async (bound) => {
    const raised = await bound.query(RAISE_FOR_ISSUES);
    await bound.query(NOTE_ISSUES);
    return raised.length;
  }, 'job');

/** An account's first issues count so, too. */
const RAISE_FOR_ISSUES: Statement = {
  text: `
    /* all accounts */ insert into jobs as j (account_id, kind, key, due_at)
    select i.account_id, 'alert', 'issues', greatest(now(), max(${A_DAY_AFTER_MAIL}))
    from issues i left join owner_alerts a on a.account_id = i.account_id and a.kind = 'issues'
    where i.left_out_at is null and (a.seen_at is null or a.seen_at <= now() - interval '1 day')
    group by i.account_id
    on conflict (account_id, kind, key) do nothing returning key`,
};

const NOTE_ISSUES: Statement = {
  text: `
    /* all accounts */ insert into owner_alerts as a (account_id, kind, seen_at)
    select account_id, 'issues', now() from issues where left_out_at is null group by account_id
    on conflict (account_id, kind) do update set seen_at = excluded.seen_at`,
};

/**
 * A mail of this kind counts as sent from now on, so that a worker that dies sends none rather than two. False when one
 * went out less than a day ago.
 */
export async function takeAlert(db: Sql, accountId: string, kind: AlertKind): Promise<boolean> {
  const text = `
    insert into owner_alerts as a (account_id, kind, sent_at) select home.account_id, $2, now() from ${HOME}
    on conflict (account_id, kind) do update set sent_at = excluded.sent_at, due_at = null
    where a.sent_at is null or ${A_DAY_AFTER_MAIL} <= excluded.sent_at
    returning kind`;
  return (await db.query({ text }, [accountId, kind])).length > 0;
}

/** None went out after all. */
export async function putBackAlert(db: Sql, accountId: string, kind: AlertKind): Promise<void> {
  const text = 'update owner_alerts set sent_at = null where account_id = $1 and kind = $2';
  await db.query({ text }, [accountId, kind]);
}

/** Owners who entered by a code mailed to them, and want mails; nobody of a test or suspended account. */
export function findAlertOwners(
  db: Sql,
  accountId: string,
): Promise<Pick<Person, 'id' | 'account_id' | 'email'>[]> {
  const text = `
    select p.id, p.account_id, p.email from people p join accounts a on a.id = p.account_id
    where p.account_id = $1 and p.role = 'owner' and p.alerts and p.confirmed_at is not null
      and not a.test and not a.suspended
    order by p.email limit 20`;
  return db.query({ text }, [accountId]);
}

/** An act that the owners get a mail about. */
export interface AccountNotice {
  /** The account's name. */
  account: string;
  /** The address of a person, or the name of a key; null: the operator. */
  actor: string | null;
  /** The address of a person, the name of a key or dealer; null: the account itself. */
  target: string | null;
  /** Of the person that it is about. */
  role: string | null;
  /** Addresses of confirmed owners and of the person that it is about, without the actor's. */
  recipients: string[];
}

/** Null when the act did not commit, and for a test account. */
export async function findNotice(
  db: Sql,
  accountId: string,
  { target, action, requestId }: AuditEntry,
): Promise<AccountNotice | null> {
  const [notice] = await db.query<AccountNotice>(NOTICE, [accountId, target, action, requestId]);
  return notice ?? null;
}

const NOTICE: Statement = {
  text: `
    select a.name as account, coalesce(tp.role, n.detail->>'role') as role,
      case when n.actor <> 'operator' then coalesce(p.email, k.name, k.prefix, 'a former person') end as actor,
      case when n.target <> $1 then coalesce(tp.email, tk.name, tk.prefix, n.detail->>'email', n.target) end as target,
      to_jsonb(array(
        (select o.email from people o
        where o.account_id = $1 and o.confirmed_at is not null and o.id <> n.actor
          and (o.role = 'owner' or o.id = n.target)
        order by o.id = n.target desc, o.created_at, o.id limit 20)
        union select n.detail->>'email' where n.detail->>'confirmed' = 'true' and n.target <> n.actor
        )) as recipients
    from audit n join accounts a on a.id = n.account_id
      left join people p on p.id = n.actor and p.account_id = n.account_id
      left join api_keys k on k.id = n.actor and k.account_id = n.account_id
      left join people tp on tp.id = n.target and tp.account_id = n.account_id
      left join api_keys tk on tk.id = n.target and tk.account_id = n.account_id
    where n.account_id = $1 and n.target = $2 and n.action = $3 and n.request_id = $4 and not a.test limit 1`,
};

/** Whether this owner gets mails; false when the account has no such person. */
export async function updateAlertsWanted(
  db: Sql,
  accountId: string,
  personId: string,
  isWanted: boolean,
): Promise<boolean> {
  const text = `
    with person as (
      update people set alerts = $3::boolean where account_id = $1 and id = $2 returning email
    ), again as (
      delete from ended_alerts where account_id = $1 and email in (select email from person) and $3::boolean
    )
    select 1 as one from person`;
  return (await db.query({ text }, [accountId, personId, isWanted])).length > 0;
}
