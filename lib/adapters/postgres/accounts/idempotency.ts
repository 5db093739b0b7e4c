import type { Idempotency } from '../../../ports/limits.ts';
import type { Sql, Statement } from '../connection/sql.ts';

/** Of the answers of an account; the oldest go first. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Answers kept under an Idempotency-Key, for 24 hours. */
export function postgresIdempotency(sql: Sql): Idempotency {
  return {
    of: (accountId) => ({
      async claim(key, fingerprint) {
        const [row] = await sql.query<KeyRow>(CLAIM, [accountId, key, fingerprint]);
        if (!row) throw new Error('the claim returned no row');
        const { status, body } = row;
        if (status === null || body === null) return 'claimed';
        return row.fingerprint === fingerprint ? { status, body } : 'mismatch';
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

/** Without an answer the key is the reader's own: everyone else waits for the row until it has one. */
interface KeyRow {
  status: number | null;
  body: string | null;
  fingerprint: string;
}

/**
 * Waits for a concurrent request with the key; takes over what has expired. What that request kept is visible to a second
 * statement only. The conflict locks the row, so that it is still there.
 */
const CLAIM: Statement = {
  role: 'ingest',
  sentWith: 'begin',
  text: `
    insert into idempotency_keys as k (account_id, key, fingerprint) values ($1, $2, $3)
    on conflict (account_id, key) do update
      set fingerprint = excluded.fingerprint, status = null, body = null, created_at = excluded.created_at
      where excluded.created_at - k.created_at > interval '24 hours';
    select status, body, fingerprint from idempotency_keys where account_id = $1 and key = $2`,
};

const KEEP: Statement = {
  sentWith: 'commit',
  text: 'update idempotency_keys set status = $3, body = $4 where account_id = $1 and key = $2',
};

const DROP: Statement = {
  sentWith: 'commit',
  text: 'delete from idempotency_keys where account_id = $1 and key = $2',
};

/** Across all accounts: what nobody may replay any more. */
const SWEEP: Statement = {
  role: 'job',
  text: `
    with sized as (
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
