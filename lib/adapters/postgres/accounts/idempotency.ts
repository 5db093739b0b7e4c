import type { Idempotency, StoredAnswer } from '../../../ports/limits.ts';
import type { Sql, Statement } from '../connection/sql.ts';

/** Answers kept under an Idempotency-Key, for 24 hours. */
export function postgresIdempotency(sql: Sql): Idempotency {
  return {
    of: (accountId) => ({
      async claim(key, fingerprint) {
        const claimed = await sql.query(CLAIM, [accountId, key, fingerprint]);
        if (claimed.length > 0) return 'claimed';
        const [kept] = await sql.query<StoredAnswer & { fingerprint: string }>(KEPT, [accountId, key]);
        // Not there any more: swept between the two statements, so the claim is free now.
        if (!kept) return this.claim(key, fingerprint);
        return kept.fingerprint === fingerprint ? { status: kept.status, body: kept.body } : 'mismatch';
      },
      async keep(key, answer) {
        await sql.query(KEEP, [accountId, key, answer.status, answer.body]);
      },
      async drop(key) {
        await sql.query(DROP, [accountId, key]);
      },
    }),
    async sweep() {
      const [row] = await sql.query<{ swept: number }>(SWEEP, []);
      return row?.swept ?? 0;
    },
  };
}

/** Waits for a concurrent holder of the key; takes over what has expired. */
const CLAIM: Statement = {
  role: 'ingest',
  text: `
    insert into idempotency_keys as k (account_id, key, fingerprint) values ($1, $2, $3)
    on conflict (account_id, key) do update
      set fingerprint = excluded.fingerprint, status = null, body = null, created_at = now()
      where k.created_at < now() - interval '24 hours'
    returning key`,
};

const KEPT: Statement = {
  text: 'select status, body, fingerprint from idempotency_keys where account_id = $1 and key = $2',
};

const KEEP: Statement = {
  text: 'update idempotency_keys set status = $3, body = $4 where account_id = $1 and key = $2',
};

const DROP: Statement = {
  text: 'delete from idempotency_keys where account_id = $1 and key = $2',
};

/** Across all accounts: what nobody may replay any more. */
const SWEEP: Statement = {
  role: 'job',
  text: `
    with swept as (delete from idempotency_keys where created_at < now() - interval '24 hours' returning 1)
    select count(*)::int as swept from swept`,
};
