import type { Sql, Statement } from '../../db/sql.ts';
import { writeIssues } from '../../issues/write-issues.ts';
import { LockTimeout, WriteConflict } from '../../outside/faults.ts';
import type { OnConflict, StoredListings } from '../../pipeline/batch/stored-listings.ts';
import { readBatch } from './read-batch.ts';
import { writeBatch } from './write-batch.ts';

/** An account's listings as the pipeline reads and writes them. */
export const storedListings = (
  db: Sql,
  accountId: string,
  onConflict: OnConflict = db.transactional ? 'lock' : 'relock',
): StoredListings => ({
  onConflict,
  read: (requests, source) => readBatch(db, accountId, requests, source),
  write: (changes, runNo) => writeBatch(db, accountId, changes, { onConflict, runNo }),
  lock: (dedupHashes, work, lockTimeoutMs) =>
    lockBatch(db, accountId, dedupHashes, (bound) => work(storedListings(bound, accountId)), lockTimeoutMs),
  findUnlocked: (dedupHashes) => findUnlocked(db, accountId, dedupHashes),
  writeIssues: async (issues, source) => {
    const write = () => writeIssues(db, accountId, issues, source);
    await write().catch((error) => {
      if (!(error instanceof LockTimeout) || onConflict === 'lock') throw error;
      if (onConflict === 'relock') return write();
      throw new WriteConflict('issues could not be written at once', { cause: error });
    });
  },
});

/** Runs `work` in a transaction that holds the row locks of these listings, existing or not. */
function lockBatch<T>(
  sql: Sql,
  accountId: string,
  dedupHashes: readonly string[],
  work: (bound: Sql) => Promise<T>,
  lockTimeoutMs: number,
): Promise<T> {
  const hashes = JSON.stringify([...new Set(dedupHashes)].sort());
  return sql.transaction(async (bound) => {
    await bound.query(LOCK_TIMEOUT, [`${lockTimeoutMs}ms`]);
    await bound.query(LOCK_LISTINGS, [accountId, hashes]);
    const result = await work(bound);
    await bound.query(DELETE_PLACEHOLDERS, [accountId, hashes]);
    return result;
  }, 'ingest');
}

async function findUnlocked(
  sql: Sql,
  accountId: string,
  dedupHashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const hashes = JSON.stringify([...new Set(dedupHashes)]);
  const rows = await sql.query<{ hash: string }>(FIND_UNLOCKED, [accountId, hashes]);
  return new Set(rows.map(({ hash }) => hash));
}

const LOCK_TIMEOUT: Statement = { text: `select set_config('lock_timeout', $1, true)` };

/**
 * Locks existing rows and takes the place of absent ones, in hash order in one pass. DO UPDATE … WHERE false locks
 * without writing; a place taken is version 0, which no reader counts.
 */
const LOCK_LISTINGS: Statement = {
  text: `
    insert into listings as l (account_id, dedup_hash, vin, source_provider_id, status, version, doc, quality,
      observed_at, first_seen_at, updated_at)
    select $1, decode(hash, 'hex'), '', '', 'available', 0, '{}', '{}', now(), now(), now()
    from json_array_elements_text($2::json) as wanted(hash) order by hash
    on conflict (account_id, dedup_hash) do update set version = l.version where false`,
};

const FIND_UNLOCKED: Statement = {
  timeout: 'ingest',
  text: `
    with wanted as (
      select decode(hash, 'hex') as hash from json_array_elements_text($2::json) as named(hash)
    ), unlocked as materialized (
      select dedup_hash from listings where account_id = $1 and dedup_hash in (select hash from wanted)
      for update skip locked
    )
    select encode(hash, 'hex') as hash from wanted where hash in (select dedup_hash from unlocked)
      or not exists (select 1 from listings l where l.account_id = $1 and l.dedup_hash = wanted.hash)`,
};

const DELETE_PLACEHOLDERS: Statement = {
  text: `delete from listings where account_id = $1 and version = 0
    and dedup_hash in (select decode(hash, 'hex') from json_array_elements_text($2::json) as held(hash))`,
};
