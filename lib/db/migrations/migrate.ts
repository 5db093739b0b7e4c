import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import journal from '../../../drizzle/meta/_journal.json' with { type: 'json' };
import { sqlState } from '../connection/errors.ts';
import type { Sql } from '../sql.ts';

/** drizzle's own bookkeeping table, so that its tools agree with what is applied. */
const BOOKS = `do $$ begin
  -- Only where it is missing: on a cluster even "if not exists" keeps a transaction open on every worker.
  if to_regclass('drizzle.__drizzle_migrations') is null then
    create schema if not exists drizzle;
    create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
  end if;
end $$`;
const APPLIED = `select hash, created_at::text as created_at from drizzle.__drizzle_migrations order by created_at`;
const RECORD = 'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2::text::bigint)';

/**
 * The number is arbitrary; all migrators take this lock. None waits for it inside the database, because a statement
 * that waits keeps a snapshot open, for which a concurrent index build would wait.
 */
const LOCK = 'select pg_try_advisory_xact_lock(7246180911) as locked';
const RETRY_MS = 200;
/** The lock's transaction has nothing to do while an index is built outside of it. */
const MAY_IDLE = 'set local idle_in_transaction_session_timeout = 0';

/** First line of a migration that cannot run in a transaction, such as `create index concurrently if not exists`. */
const OUTSIDE = /^\s*-- outside a transaction\b/;
const FOLDER = new URL('../../../drizzle', import.meta.url);

type Migration = { sql: string[]; hash: string; folderMillis: number };

/** Applies what is missing, each migration under a lock. Returns the number of them. */
export async function migrate(sql: Sql, folder: URL = FOLDER): Promise<number> {
  const { readMigrationFiles } = await import('drizzle-orm/migrator');
  const migrations = readMigrationFiles({ migrationsFolder: fileURLToPath(folder) });
  // Reads only, so that it works without the lock and on a full disk.
  const missing = migrations.slice(await appliedMigrations(sql));
  let count = 0;
  for (const migration of missing) if (await applyWhenUnlocked(sql, migration)) count += 1;
  return count;
}

/** Returns false if another migrator was faster. */
async function applyWhenUnlocked(sql: Sql, migration: Migration): Promise<boolean> {
  for (;;) {
    const isApplied = await sql.transaction((bound) => apply(sql, bound, migration), 'migration');
    if (isApplied !== null) return isApplied;
    await sleep(RETRY_MS);
  }
}

/** Applies a migration and records it in the lock's transaction; null: another migrator has the lock. */
async function apply(sql: Sql, bound: Sql, migration: Migration): Promise<boolean | null> {
  const run = <Row>(text: string, params?: unknown[]) => bound.query<Row>({ text }, params);
  const [lock] = await run<{ locked: boolean }>(LOCK);
  if (!lock?.locked) return null;
  await run(BOOKS);
  const applied = await run<{ created_at: string }>(APPLIED);
  if (Number(applied.at(-1)?.created_at ?? 0) >= migration.folderMillis) return false;
  if (!OUTSIDE.test(migration.sql[0] ?? '')) for (const text of migration.sql) await run(text);
  else {
    await run(MAY_IDLE);
    await runOutside(sql, migration);
  }
  await run(RECORD, [migration.hash, String(migration.folderMillis)]);
  return true;
}

/** Each statement says `if not exists`, so that a migrator completes what an ended one began. */
async function runOutside(sql: Sql, migration: Migration): Promise<void> {
  const run = <Row>(text: string) => sql.query<Row>({ text, timeout: 'migration' });
  for (const { name } of await run<{ name: string }>(INVALID)) await run(`drop index concurrently ${name}`);
  for (const text of migration.sql) await run(text);
}

/** How many migrations the database has against how many this build knows. */
export async function migrationState(sql: Sql): Promise<{ applied: number; shipped: number }> {
  return { applied: await appliedMigrations(sql), shipped: journal.entries.length };
}

async function appliedMigrations(sql: Sql): Promise<number> {
  try {
    return (await sql.query({ text: APPLIED })).length;
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return 0;
    throw error;
  }
}

const UNDEFINED_TABLE = '42P01';
/** An ended migrator may leave an invalid index, which `if not exists` would take for a valid one. */
const INVALID = `
  select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
  where not i.indisvalid and c.relkind = 'i' and c.relnamespace = current_schema()::regnamespace`;
