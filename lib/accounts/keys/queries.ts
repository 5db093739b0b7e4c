import type { Sql, Statement } from '../../db/sql.ts';
import { iso } from '../../inventory/queries/iso-time.ts';
import type { AccountKeys, ApiKey } from '../ports/accounts.ts';
import type { AuditEntry } from '../ports/audit.ts';
import { addAudit } from '../queries/audit.ts';

type OwnKey = ApiKey & { creator: string | null };

/** A transaction, after which this process remembers no keys. */
export type Transact = <T>(work: (bound: Sql) => Promise<T>) => Promise<T>;

/** The keys of an account, by its id: another's are absent. */
export function postgresOwnKeys(transact: Transact, sql: Sql, accountId: string): AccountKeys {
  const audited = async (bound: Sql, audit: AuditEntry, statement: Statement, values: readonly unknown[]) => {
    const isDone = (await bound.query(statement, [accountId, ...values])).length > 0;
    if (isDone) await addAudit(bound, audit);
    return isDone;
  };
  return {
    list: () => sql.query<OwnKey>(LIST, [accountId, null]),
    async get(id) {
      const [key] = await sql.query<OwnKey>(LIST, [accountId, id]);
      return key ?? null;
    },
    count: () => countKeys(sql, accountId),
    change: (id, { name, allowedOrigins }, audit) =>
      transact((bound) => audited(bound, audit, CHANGE, [id, name, JSON.stringify(allowedOrigins)])),
    revoke: (id, audit) => transact((bound) => audited(bound, audit, REVOKE, [id])),
    rotate: (id, next, overlapHours, maxKeys, audit) =>
      transact(async (bound) => {
        // Locked, so that two at once do not both take the last place.
        await bound.query(LOCK_ACCOUNT, [accountId]);
        if (overlapHours > 0 && (await countKeys(bound, accountId)) >= maxKeys) return 'too_many';
        const values = [id, next.id, next.prefix, next.hash, next.createdBy, overlapHours];
        return audited(bound, audit, ROTATE, values);
      }),
  };
}

/** Those that work. */
export async function countKeys(sql: Sql, accountId: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(COUNT, [accountId]);
  return row?.count ?? 0;
}

/** For the time of a transaction that adds to what the account may have so many of. */
export const LOCK_ACCOUNT: Statement = { text: 'select 1 from accounts where id = $1 for no key update' };

const WORKS = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > now())';

/** Of a row `k`, without its hash. */
export const KEY = `k.id, k.account_id, k.kind, k.prefix, k.allowed_origins, k.name, k.scopes,
      case when k.dealer is not null then json_build_array(k.dealer) end as dealers,
      ${iso('k.expires_at')} as expires_at, ${iso('k.created_at')} as created_at, k.created_by,
      ${iso('k.last_used_at')} as last_used_at, k.last_origin, ${iso('k.revoked_at')} as revoked_at`;

const LIST: Statement = {
  text: `
    select ${KEY}, p.email as creator
    from api_keys k left join people p on p.id = k.created_by and p.account_id = k.account_id
    where k.account_id = $1 and ($2::text is null or k.id = $2)
    order by (${WORKS}) desc, k.created_at desc, k.id limit 200`,
};

const COUNT: Statement = {
  text: `select count(*)::int as count from api_keys k where k.account_id = $1 and ${WORKS}`,
};

const CHANGE: Statement = {
  text: `
    update api_keys k set name = $3, allowed_origins = $4::jsonb
    where k.account_id = $1 and k.id = $2 and ${WORKS} returning 1 as one`,
};

const REVOKE: Statement = {
  text: `
    update api_keys set revoked_at = now()
    where account_id = $1 and id = $2 and revoked_at is null returning 1 as one`,
};

/** Database time rules when the old one ends. */
const ROTATE: Statement = {
  text: `
    with old as materialized (
      select * from api_keys k where k.account_id = $1 and k.id = $2 and ${WORKS} for update
    ), ended as (
      update api_keys k set
        expires_at = least(k.expires_at, now() + make_interval(hours => $7::int)),
        revoked_at = case when $7::int = 0 then now() end
      from old where k.id = old.id
    )
    insert into api_keys (id, account_id, kind, prefix, hash, allowed_origins, name, scopes, dealer, expires_at, created_by)
    select $3, $1, kind, $4, $5, allowed_origins, name, scopes, dealer, expires_at, $6 from old returning 1 as one`,
};
