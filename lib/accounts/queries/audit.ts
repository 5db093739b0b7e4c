import type { audit } from '../../../drizzle/schema/accounts.ts';
import { iso } from '../../db/fragments.ts';
import type { Page, Sql, Statement } from '../../db/sql.ts';

/** Who did what: written in the transaction of what it is about. */
export interface AuditEntry {
  /** `key.create` */
  action: string;
  target: string;
  requestId: string;
  detail: Record<string, unknown>;
  /** Whose activity it is part of; null: the operator's alone. */
  accountId: string | null;
  /** The id of a person or a key, or `operator`. */
  actor: string;
}

export async function addAudit(db: Sql, entry: AuditEntry): Promise<void> {
  const { action, target, requestId, detail, accountId, actor } = entry;
  await db.query(
    {
      text: `
        insert into audit (action, target, request_id, detail, account_id, actor)
        values ($1, $2, $3, $4::jsonb, $5, $6)`,
    },
    [action, target, requestId, JSON.stringify(detail), accountId, actor],
  );
}

export type AuditRow = Omit<typeof audit.$inferSelect, 'request_id' | 'account_id'> & {
  /** The address of a person who still belongs to the account, or the name of a key; null for others. */
  actor_name: string | null;
  /** Of a person, key, feed or lead that is still there; of a deleted feed, its last name; null for others. */
  target_name: string | null;
};

/** Newest first; `after` is the id of the last row seen. */
export const listAudit = (db: Sql, accountId: string, { limit, after }: Page) =>
  db.query<AuditRow>(LIST, [accountId, after, limit]);

const LIST: Statement = {
  text: `
    select a.id, ${iso('a.at')} as at, a.action, a.target, a.detail, a.actor, coalesce(p.email, k.name, k.prefix || '…') as actor_name,
      coalesce(tp.email, tk.name, tk.prefix || '…', f.name, l.name, l.email, l.phone, (
        select r.detail->>'name' from audit r
        where a.action like 'feed.%' and r.target = a.target and r.account_id = a.account_id
        order by r.at desc limit 1)) as target_name
    from audit a
      left join people p on p.id = a.actor and p.account_id = a.account_id
      left join api_keys k on k.id = a.actor and k.account_id = a.account_id
      left join people tp on tp.id = a.target and tp.account_id = a.account_id
      left join api_keys tk on tk.id = a.target and tk.account_id = a.account_id
      left join feeds f on f.account_id = $1 and f.id = a.target
      left join leads l on l.account_id = $1 and l.id = a.target
    where a.account_id = $1 and ($2::text is null or a.id < $2::int)
    order by a.id desc limit $3::int`,
};

/** Forgets what is older, some thousands at a time; returns how many. */
export async function sweepAudit(db: Sql, months: number): Promise<number> {
  const [row] = await db.query<{ swept: number }>(SWEEP, [months]);
  return row?.swept ?? 0;
}

/** The oldest come first by their numbers too, so that few newer ones are looked at. */
const SWEEP: Statement = {
  timeout: 'job',
  text: `
    with old as (
      select id from (select id, at from audit order by id limit 10000) as first
      where at < now() - make_interval(months => $1::int)
    ), swept as (delete from audit a using old where a.id = old.id returning 1)
    select count(*)::int as swept from swept`,
};
