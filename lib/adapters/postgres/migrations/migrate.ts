import { fileURLToPath } from 'node:url';
import journal from '../../../../drizzle/meta/_journal.json' with { type: 'json' };
import { type Sql, sqlState } from '../connection/sql.ts';

/** drizzle's own bookkeeping table, so that its tools agree with what is applied. */
const SCHEMA = 'create schema if not exists drizzle';
const TABLE = `create table if not exists drizzle.__drizzle_migrations (
  id serial primary key, hash text not null, created_at bigint)`;
/** Any number; all migrators of this service take the same lock, because parallel first migrations race. */
const LOCK = 'select pg_advisory_xact_lock(7246180911)::text';
const APPLIED = `select hash, created_at::text as created_at from drizzle.__drizzle_migrations order by created_at`;
const RECORD = 'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2::text::bigint)';

/** First line of a migration that cannot run in a transaction, such as `create index concurrently if not exists`. */
const OUTSIDE = /^\s*-- outside a transaction\b/;
const FOLDER = new URL('../../../../drizzle', import.meta.url);

/** Applies what is missing, each migration under an advisory lock. Returns the number of them. */
export async function migrate(sql: Sql, folder: URL = FOLDER): Promise<number> {
  const { readMigrationFiles } = await import('drizzle-orm/migrator');
  const known = readMigrationFiles({ migrationsFolder: fileURLToPath(folder) });
  // Without the lock, and on a disk that is too full to write.
  const applied = await appliedMigrations(sql);
  let count = 0;
  for (const migration of known.slice(applied)) {
    const outside = OUTSIDE.test(migration.sql[0] ?? '');
    if (outside) await runOutside(sql, migration.sql);
    if (await record(sql, migration, outside ? [] : migration.sql)) count += 1;
  }
  return count;
}

/** Each statement says `if not exists`; without a lock two migrators may still find that it does not at the same time. */
async function runOutside(sql: Sql, statements: readonly string[]): Promise<void> {
  for (const text of statements) await runUnlocked(sql, text, MAX_TRIES);
}

/** Two that build an index of one table wait for each other: one of them is ended, and may leave an invalid index. */
async function runUnlocked(sql: Sql, text: string, tries: number): Promise<void> {
  try {
    await sql.query({ text, role: 'job' });
  } catch (error) {
    const state = sqlState(error);
    if (CREATED_MEANWHILE.includes(state)) return;
    if (state !== DEADLOCK || tries <= 1) throw error;
    for (const { name } of await sql.query<{ name: string }>({ text: INVALID, role: 'job' }))
      await runUnlocked(sql, `reindex index concurrently ${name}`, tries - 1);
    await runUnlocked(sql, text, tries - 1);
  }
}

/** Runs a migration's statements and notes that it is applied; false when another migrator did. */
function record(
  sql: Sql,
  { hash, folderMillis }: { hash: string; folderMillis: number },
  statements: readonly string[],
): Promise<boolean> {
  return sql.transaction(async (bound) => {
    const run = (text: string, params: unknown[] = []) => bound.query({ text, role: 'job' }, params);
    await run(LOCK);
    await run(SCHEMA);
    await run(TABLE);
    const rows = await bound.query<{ created_at: string }>({ text: APPLIED, role: 'job' });
    if (Number(rows.at(-1)?.created_at ?? 0) >= folderMillis) return false;
    for (const statement of statements) await run(statement);
    await run(RECORD, [hash, String(folderMillis)]);
    return true;
  });
}

/** How many migrations the database has against how many this build knows. */
export async function migrationState(sql: Sql): Promise<{ applied: number; known: number }> {
  return { applied: await appliedMigrations(sql), known: journal.entries.length };
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
const DEADLOCK = '40P01';
const MAX_TRIES = 5;
const INVALID = `
  select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
  where not i.indisvalid and c.relnamespace = current_schema()::regnamespace`;
/** duplicate_table, and unique_violation in the catalogue of relations. */
const CREATED_MEANWHILE = ['42P07', '23505'];
