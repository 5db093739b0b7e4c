import { START_MOMENT } from '../../db/connection/moments.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import { iso } from '../../inventory/queries/iso-time.ts';
import { countKeys, KEY, LOCK_ACCOUNT, type Transact } from '../keys/queries.ts';
import type { Account, Accounts, ApiKey } from '../ports/accounts.ts';
import type { AuditEntry } from '../ports/audit.ts';
import { addAudit } from '../queries/audit.ts';

/** What operators do; each act and its audit row commit together. */
export function adminAccounts(
  transact: Transact,
): Omit<Accounts, 'authenticate' | 'accountOfKey' | 'forget' | 'isTest' | 'ownKeys'> {
  const audited = <T>(entry: AuditEntry, work: (bound: Sql) => Promise<T>) =>
    transact(async (bound) => {
      const result = await work(bound);
      await addAudit(bound, entry);
      return result;
    });
  const query = <Row>(entry: AuditEntry, statement: Statement, values: readonly unknown[]) =>
    audited(entry, (bound) => bound.query<Row>(statement, values));
  return {
    create: (account, entry) =>
      audited(entry, async (bound) => {
        const [row] = await bound.query<Account>(CREATE, [JSON.stringify(account)]);
        if (!row) throw new Error('the insert answered no row');
        await bound.query(OWN_HOME, [row.id]);
        return row;
      }),
    get: async (id, entry) => (await query<Account>(entry, GET, [id]))[0] ?? null,
    list: (q, { limit, after }, entry) => query<Account>(entry, LIST, [q, after, limit]),
    change: (id, change, entry) =>
      audited(entry, async (bound) => {
        await bound.query(CHANGE, [id, JSON.stringify(change)]);
        return (await bound.query<Account>(GET, [id]))[0] ?? null;
      }),
    createKey: (key, maxKeys, entry) =>
      audited(entry, async (bound) => {
        // Locked, so that two at once do not both take the last place.
        const owners = await bound.query(LOCK_ACCOUNT, [key.accountId]);
        if (owners.length === 0) return null;
        if (maxKeys !== null && (await countKeys(bound, key.accountId)) >= maxKeys) return 'too_many';
        const [row] = await bound.query<ApiKey>(CREATE_KEY, [key.accountId, JSON.stringify(key)]);
        return row ?? null;
      }),
    listKeys: (accountId, entry) => query<ApiKey>(entry, LIST_KEYS, [accountId]),
    revokeKey: async (id, entry) => (await query(entry, REVOKE_KEY, [id])).length > 0,
  };
}

const ACCOUNT = `id, name, tier, limit_multiplier, min_feed_cadence_minutes, suspended, in_market, test,
      coalesce(erase_at, erasing_at) is not null as erasing,
      case when erasing_at is null then ${iso('erase_at')} end as erase_at,
      ${iso('created_at')} as created_at, ${iso('updated_at')} as updated_at`;

const CREATE: Statement = {
  text: `
    insert into accounts (id, name, tier, limit_multiplier, min_feed_cadence_minutes, in_market, test)
    select id, name, tier, limit_multiplier, min_feed_cadence_minutes, in_market and not test, test
    from json_to_record($1::json) as made(id text, name text, tier text, limit_multiplier int,
      min_feed_cadence_minutes int, in_market boolean, test boolean)
    returning ${ACCOUNT}`,
};

/** What the view `account_homes` is of on a cluster. */
const OWN_HOME: Statement = { text: 'insert into own_homes (account_id) values ($1)' };

const GET: Statement = { text: `select ${ACCOUNT} from accounts where id = $1` };

const LIST: Statement = {
  text: `
    select ${ACCOUNT} from accounts
    where ($1::text is null or position(lower($1) in lower(name)) > 0 or id = $1
        or id in (select account_id from people where email = lower($1)))
      and ($2::text is null or (lower(name), id) > (select lower(name), id from accounts where id = $2))
    order by lower(name), id limit $3::int`,
};

/** Members absent from $2 leave what is stored. */
const CHANGE: Statement = {
  text: `
    update accounts set
      name = coalesce($2::jsonb->>'name', name),
      tier = coalesce($2::jsonb->>'tier', tier),
      limit_multiplier = coalesce(($2::jsonb->>'limit_multiplier')::int, limit_multiplier),
      min_feed_cadence_minutes = coalesce(($2::jsonb->>'min_feed_cadence_minutes')::int, min_feed_cadence_minutes),
      suspended = case when $2::jsonb ? 'suspended'
        then ($2::jsonb->>'suspended')::boolean or coalesce(erase_at, erasing_at) is not null else suspended end,
      operator_suspended = coalesce(($2::jsonb->>'suspended')::boolean, operator_suspended),
      in_market = coalesce(($2::jsonb->>'in_market')::boolean, in_market) and not test,
      updated_at = now()
    where id = $1`,
};

const CREATE_KEY: Statement = {
  text: `
    insert into api_keys as k (id, account_id, kind, prefix, hash, allowed_origins, name, scopes, dealer, expires_at, created_by)
    select id, $1, kind, prefix, hash, "allowedOrigins", name, scopes, dealer, "expiresAt", "createdBy"
    from json_to_record($2::json) as made(id text, kind text, prefix text, hash text, "allowedOrigins" jsonb, name text,
      scopes jsonb, dealer text, "expiresAt" timestamptz, "createdBy" text)
    returning ${KEY}`,
};

const LIST_KEYS: Statement = {
  text: `select ${KEY} from api_keys k where k.account_id = $1 order by k.created_at, k.id`,
};

const REVOKE_KEY: Statement = {
  text: `
    update api_keys set revoked_at = coalesce(revoked_at, moment.at) from ${START_MOMENT}
    where id = $1 returning id`,
};
