import type { Sql, Statement } from '../../db/sql.ts';
import { iso } from '../../inventory/queries/iso-time.ts';
import type { Audit, AuditEntry, AuditRow } from '../ports/audit.ts';

export function postgresAudit(sql: Sql): Audit {
  return {
    add: (entry) => addAudit(sql, entry),
    async sweep(months) {
      const [row] = await sql.query<{ swept: number }>(SWEEP, [months]);
      return row?.swept ?? 0;
    },
    of: (accountId) => ({ list: ({ limit, after }) => sql.query<AuditRow>(LIST, [accountId, after, limit]) }),
  };
}

export async function addAudit(sql: Sql, entry: AuditEntry): Promise<void> {
  const { action, target, requestId, detail, accountId, actor } = entry;
  await sql.query(ADD, [action, target, requestId, JSON.stringify(detail), accountId, actor]);
}

const ADD: Statement = {
  text: `
    insert into audit (action, target, request_id, detail, account_id, actor)
    values ($1, $2, $3, $4::jsonb, $5, $6)`,
};

/** The oldest come first by their numbers too, so that few newer ones are looked at. */
const SWEEP: Statement = {
  role: 'job',
  text: `
    with old as (
      select id from (select id, at from audit order by id limit 10000) as first
      where at < now() - make_interval(months => $1::int)
    ), swept as (delete from audit a using old where a.id = old.id returning 1)
    select count(*)::int as swept from swept`,
};

const LIST: Statement = {
  text: `
    select a.id, ${iso('a.at')} as at, a.action, a.target, a.detail, a.actor, coalesce(p.email, k.name) as actor_name,
      coalesce(tp.email, tk.name, f.name, l.name, l.email, l.phone) as target_name
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
