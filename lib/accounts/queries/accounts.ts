import { prepared, type Sql, type Statement } from '../../db/sql.ts';
import { postgresOwnKeys, type Transact } from '../keys/queries.ts';
import { adminAccounts } from '../operator/admin.ts';
import type { Account, Accounts, ApiKey, Principal } from '../ports/accounts.ts';
import { type MarkedLookUp, readAndMark } from './read-and-mark.ts';
import { rememberBriefly } from './remember.ts';

/**
 * Accounts, keys and the audit trail. The look-up of a key is the only hot statement; it is remembered for 4 s in
 * this process, and forgotten at once when this process changes an account or a key.
 */
export function postgresAccounts(sql: Sql, now: () => number): Accounts {
  const { read, forget } = rememberBriefly<Principal>(now, ({ expiresAt }) => expiresAt);
  const transact: Transact = async (work) => {
    try {
      return await sql.transaction(work);
    } finally {
      forget();
    }
  };

  return {
    authenticate: (keyHash, origin) =>
      read(keyHash, async () => {
        const row = await readAndMark<PrincipalRow>(sql, BY_HASH, keyHash, [origin]);
        return row ? toPrincipal(row) : null;
      }),
    async isTest(id) {
      const [row] = await sql.query<{ test: boolean }>(IS_TEST, [id]);
      return row?.test ?? null;
    },
    forget,
    async accountOfKey(id) {
      const [row] = await sql.query<{ id: string }>(ACCOUNT_OF_KEY, [id]);
      return row?.id ?? null;
    },
    ...adminAccounts(transact),
    ownKeys: (accountId) => postgresOwnKeys(transact, sql, accountId),
  };
}

interface PrincipalRow {
  key_id: string;
  kind: ApiKey['kind'];
  allowed_origins: string[];
  scopes: Principal['scopes'];
  dealer: string | null;
  /** Ms since the epoch. */
  expires: number | null;
  id: string;
  tier: Account['tier'];
  limit_multiplier: number;
  min_feed_cadence_minutes: number;
  suspended: boolean;
  test: boolean;
  is_mark_due: boolean;
}

function toPrincipal(row: PrincipalRow): Principal {
  const {
    key_id: keyId,
    kind,
    allowed_origins: allowedOrigins,
    scopes,
    dealer,
    expires: expiresAt,
    is_mark_due: _,
    ...account
  } = row;
  return { keyId, kind, allowedOrigins, scopes, dealer, expiresAt, account };
}

const ACCOUNT_OF_KEY: Statement = { text: 'select account_id as id from api_keys where id = $1' };

const IS_TEST: Statement = { text: 'select test from accounts where id = $1' };

const MARK_DUE = `(k.last_used_at is null or k.last_used_at < now() - interval '1 minute')`;

/** Marks the key as used at most once a minute. */
const BY_HASH: MarkedLookUp = {
  read: prepared({
    text: `
      select k.id as key_id, k.kind, k.allowed_origins, k.scopes, k.dealer,
        date_part('epoch', k.expires_at) * 1000 as expires, a.id, a.tier, a.limit_multiplier,
        a.min_feed_cadence_minutes, a.suspended, a.test, ${MARK_DUE} as is_mark_due
      from api_keys k join accounts a on a.id = k.account_id
      where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
  }),
  mark: {
    text: `
      update api_keys k set last_used_at = now(), last_origin = coalesce($2::text, k.last_origin)
      where hash = $1 and ${MARK_DUE}`,
  },
};
