import type { Sql, Statement } from '../../db/sql.ts';
import type { Idempotency } from '../../limiter/limits.ts';

/** Of the answers of an account; the oldest go first. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Answers kept under an Idempotency-Key, for 24 hours. */
export function postgresIdempotency(sql: Sql): Idempotency {
  return {
    of: (accountId) => ({
      async claim(key, fingerprint) {
        const [claimed] = await sql.query(CLAIM, [accountId, key, fingerprint]);
        if (claimed) return 'claimed';
        // In a statement of its own, which sees what the request that it waited for has kept.
        const [kept] = await sql.query<KeyRow>(KEPT, [accountId, key]);
        if (!kept) throw new Error('the key that is taken has no row');
        const { status, body } = kept;
        return kept.fingerprint === fingerprint ? { status, body } : 'mismatch';
      },
      async keep(key, answer) {
        await sql.query(KEEP, [accountId, key, answer.status, answer.body]);
      },
      async drop(key) {
        await sql.query(DROP, [accountId, key]);
      },
    }),
    async sweep(maxBytes = MAX_BYTES) {
      const [row] = await sql.query<{ swept: number }>(SWEEP, [maxBytes]);
      return row?.swept ?? 0;
    },
  };
}

interface KeyRow {
  status: number;
  body: string;
  fingerprint: string;
}

/** Waits for a concurrent request with the key; takes over what has expired. Returns no row for a key that is taken. */
const CLAIM: Statement = {
  text: `
    insert into idempotency_keys as k (account_id, key, fingerprint) values ($1, $2, $3)
    on conflict (account_id, key) do update
      set fingerprint = excluded.fingerprint, status = null, body = null, created_at = excluded.created_at
      where excluded.created_at - k.created_at > interval '24 hours'
    returning key`,
};

const KEPT: Statement = {
  text: 'select status, body, fingerprint from idempotency_keys where account_id = $1 and key = $2',
};

const KEEP: Statement = {
  text: 'update idempotency_keys set status = $3, body = $4 where account_id = $1 and key = $2',
};

const DROP: Statement = { text: 'delete from idempotency_keys where account_id = $1 and key = $2' };

/** Across all accounts: what nobody may replay any more. */
const SWEEP: Statement = {
  role: 'job',
  text: `
    /* all accounts */ with sized as (
      select account_id, key, created_at < now() - interval '24 hours' as is_old,
        sum(octet_length(body)) over (partition by account_id order by created_at desc, key) as kept
      from idempotency_keys
    ), swept as (
      delete from idempotency_keys k using sized s
      where k.account_id = s.account_id and k.key = s.key and (s.is_old or s.kept > $1::bigint)
      returning 1
    )
    select count(*)::int as swept from swept`,
};
