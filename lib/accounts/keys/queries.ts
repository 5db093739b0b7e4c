import type { apiKeys } from '../../../drizzle/schema/accounts.ts';
import { iso, START_MOMENT } from '../../db/fragments.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import type { ApiKey } from '../operator/schemas.ts';

const WORKS = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > now())';

/** Of a row `k`, without its hash. */
const KEY = `k.id, k.account_id, k.kind, k.prefix, k.allowed_origins, k.name, k.scopes,
      case when k.dealer is not null then json_build_array(k.dealer) end as dealers,
      ${iso('k.expires_at')} as expires_at, ${iso('k.created_at')} as created_at, k.created_by,
      ${iso('k.last_used_at')} as last_used_at, k.last_origin, ${iso('k.revoked_at')} as revoked_at`;

/** In the order in which they were made. */
export const listKeysByAge = (db: Sql, accountId: string) => db.query<ApiKey>(LIST_BY_AGE, [accountId]);

const LIST_BY_AGE: Statement = {
  text: `select ${KEY} from api_keys k where k.account_id = $1 order by k.created_at, k.id`,
};

/** `creator`: the maker's address, while the person belongs to the account. */
export type OwnKey = ApiKey & { creator: string | null };

/** Those that work first, then the newest; `id`: only that one. */
export const listKeysByUse = (db: Sql, accountId: string, id: string | null = null) =>
  db.query<OwnKey>(LIST_BY_USE, [accountId, id]);

const LIST_BY_USE: Statement = {
  text: `
    select ${KEY}, p.email as creator
    from api_keys k left join people p on p.id = k.created_by and p.account_id = k.account_id
    where k.account_id = $1 and ($2::text is null or k.id = $2)
    order by (${WORKS}) desc, k.created_at desc, k.id limit 200`,
};

/** Keys of the account that work. */
export async function countKeys(db: Sql, accountId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(COUNT, [accountId]);
  return row?.count ?? 0;
}

const COUNT: Statement = {
  text: `select count(*)::int as count from api_keys k where k.account_id = $1 and ${WORKS}`,
};

/** What is stored of a key instead of the key itself. */
type KeyTrace = Pick<typeof apiKeys.$inferSelect, 'id' | 'prefix' | 'hash' | 'created_by'>;

type KeyLimits = Pick<
  typeof apiKeys.$inferSelect,
  'kind' | 'allowed_origins' | 'name' | 'scopes' | 'dealer' | 'expires_at'
>;

export const insertKey = (db: Sql, accountId: string, key: KeyTrace & KeyLimits) =>
  db.query<ApiKey>(INSERT, [accountId, JSON.stringify(key)]);

const INSERT: Statement = {
  text: `
    insert into api_keys as k (id, account_id, kind, prefix, hash, allowed_origins, name, scopes, dealer, expires_at, created_by)
    select id, $1, kind, prefix, hash, allowed_origins, name, scopes, dealer, expires_at, created_by
    from json_populate_record(null::api_keys, $2::json) returning ${KEY}`,
};

/** Null when the account has no such key that works. */
export async function replaceKey(
  db: Sql,
  accountId: string,
  id: string,
  { id: nextId, prefix, hash, created_by }: KeyTrace,
  overlapHours: number,
): Promise<ApiKey | null> {
  const values = [accountId, id, nextId, prefix, hash, created_by, overlapHours];
  return (await db.query<ApiKey>(REPLACE, values))[0] ?? null;
}

/** Database time rules when the old one ends. */
const REPLACE: Statement = {
  text: `
    with old as materialized (
      select * from api_keys k where k.account_id = $1 and k.id = $2 and ${WORKS} for update
    ), ended as (
      update api_keys k set
        expires_at = least(k.expires_at, now() + make_interval(hours => $7::int)),
        revoked_at = case when $7::int = 0 then now() end
      from old where k.id = old.id
    )
    insert into api_keys as k (id, account_id, kind, prefix, hash, allowed_origins, name, scopes, dealer, expires_at, created_by)
    select $3, $1, kind, $4, $5, allowed_origins, name, scopes, dealer, expires_at, $6 from old returning ${KEY}`,
};

/** False when the account has no such key that works. */
export const updateKey = async (
  db: Sql,
  accountId: string,
  id: string,
  { name, allowed_origins }: Pick<ApiKey, 'name' | 'allowed_origins'>,
): Promise<boolean> =>
  (await db.query(UPDATE, [accountId, id, name, JSON.stringify(allowed_origins)])).length > 0;

const UPDATE: Statement = {
  text: `
    update api_keys k set name = $3, allowed_origins = $4::jsonb
    where k.account_id = $1 and k.id = $2 and ${WORKS} returning 1 as one`,
};

/** False when the account has no such key that is not revoked. */
export const endKey = async (db: Sql, accountId: string, id: string): Promise<boolean> =>
  (await db.query(END, [accountId, id])).length > 0;

const END: Statement = {
  text: `
    update api_keys set revoked_at = now()
    where account_id = $1 and id = $2 and revoked_at is null returning 1 as one`,
};

/** Of any account, whose id it returns; null when there is no such key. */
export async function endAnyKey(db: Sql, id: string): Promise<string | null> {
  const [row] = await db.query<{ account_id: string }>(END_ANY, [id]);
  return row?.account_id ?? null;
}

const END_ANY: Statement = {
  text: `
    update api_keys set revoked_at = coalesce(revoked_at, moment.at) from ${START_MOMENT}
    where id = $1 returning account_id`,
};
