import type { apiKeys } from '../../../drizzle/schema/accounts.ts';
import { iso, START_MOMENT } from '../../db/fragments.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import type { ApiKey } from '../operator/schemas.ts';

const WORKS = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > now())';

/** Of a row `k`, without its hash. */
const KEY = `k.id, k.account_id, k.kind, k.prefix, k.widget_key as key, k.allowed_origins, k.name, k.scopes,
      case when k.dealer is not null then json_build_array(k.dealer) end as dealers,
      ${iso('k.expires_at')} as expires_at, ${iso('k.created_at')} as created_at, k.created_by,
      ${iso('k.last_used_at')} as last_used_at, k.last_origin, ${iso('k.revoked_at')} as revoked_at`;

/** Those that work first, then the newest; `id`: only that one. */
export const findKeys = (db: Sql, accountId: string, id: string | null = null) =>
  db.query<ApiKey>(
    {
      text: `
        select ${KEY} from api_keys k where k.account_id = $1 and ($2::text is null or k.id = $2)
        order by (${WORKS}) desc, k.created_at desc, k.id limit 1000`,
    },
    [accountId, id],
  );

/** Keys of the account that work. */
export async function countKeys(db: Sql, accountId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    { text: `select count(*)::int as count from api_keys k where k.account_id = $1 and ${WORKS}` },
    [accountId],
  );
  return row?.count ?? 0;
}

type NewRow = typeof apiKeys.$inferInsert;
/** What is stored of a key: of a secret one its hash alone. */
type KeyTrace = Pick<NewRow, 'id' | 'prefix' | 'hash' | 'widget_key' | 'created_by'>;

export async function insertKey(
  db: Sql,
  accountId: string,
  key: Omit<NewRow, 'account_id'>,
): Promise<ApiKey> {
  const [inserted] = await db.query<ApiKey>(INSERT, [accountId, JSON.stringify(key)]);
  if (!inserted) throw new Error('the insert returned no row');
  return inserted;
}

const INSERT: Statement = {
  text: `
    insert into api_keys as k (id, account_id, kind, prefix, hash, widget_key, allowed_origins, name, scopes, dealer, expires_at, created_by)
    select id, $1, kind, prefix, hash, widget_key, allowed_origins, name, scopes, dealer, expires_at, created_by
    from json_populate_record(null::api_keys, $2::json) returning ${KEY}`,
};

/** Nothing when the account has no such key that works. */
export const replaceKey = (db: Sql, accountId: string, id: string, trace: KeyTrace) =>
  db.query<ApiKey>(REPLACE, [accountId, id, JSON.stringify(trace)]);

/** Database time rules when the old one ends. */
const REPLACE: Statement = {
  text: `
    with old as materialized (
      select * from api_keys k where k.account_id = $1 and k.id = $2 and ${WORKS} for update
    ), ended as (
      update api_keys k set expires_at = least(k.expires_at, now() + interval '24 hours')
      from old where k.account_id = $1 and k.id = old.id
    )
    insert into api_keys as k (id, account_id, kind, prefix, hash, widget_key, allowed_origins, name, scopes, dealer, expires_at, created_by)
    select n.id, $1, kind, n.prefix, n.hash, n.widget_key, allowed_origins, name, scopes, dealer, expires_at, n.created_by
    from old, json_to_record($3::json) as n(id text, prefix text, hash text, widget_key text, created_by text) returning ${KEY}`,
};

/** Nothing when the account has no such key that works. */
export const updateKey = (
  db: Sql,
  accountId: string,
  id: string,
  { name, allowed_origins }: Pick<ApiKey, 'name' | 'allowed_origins'>,
) =>
  db.query(
    {
      text: `
        update api_keys k set name = $3, allowed_origins = $4::jsonb
        where k.account_id = $1 and k.id = $2 and ${WORKS} returning 1 as one`,
    },
    [accountId, id, name, JSON.stringify(allowed_origins)],
  );

/** Of any account where that is null. Nothing when there is no such key. */
export const endKey = (db: Sql, id: string, accountId: string | null) =>
  db.query<Pick<ApiKey, 'account_id'>>(
    {
      text: `
        update api_keys set revoked_at = coalesce(revoked_at, moment.at) from ${START_MOMENT}
        where ($1::text is null or account_id = $1) and id = $2 returning account_id`,
    },
    [accountId, id],
  );
