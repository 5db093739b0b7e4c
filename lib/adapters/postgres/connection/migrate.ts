import { fileURLToPath } from 'node:url';
import journal from '../../../../drizzle/meta/_journal.json' with { type: 'json' };
import { type Sql, sqlState } from './sql.ts';

/** drizzle's own bookkeeping table, so that its tools agree with what is applied. */
const SCHEMA = 'create schema if not exists drizzle';
const TABLE = `create table if not exists drizzle.__drizzle_migrations (
  id serial primary key, hash text not null, created_at bigint)`;
/** Any number; all migrators of this service take the same lock, because parallel first migrations race. */
const LOCK = 'select pg_advisory_xact_lock(7246180911)::text';
const APPLIED = `select hash, created_at::text as created_at from drizzle.__drizzle_migrations order by created_at`;
const RECORD = 'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2::text::bigint)';

/** Applies what is missing, all in one transaction under an advisory lock. Returns how many were applied. */
export async function migrate(sql: Sql): Promise<number> {
  const { readMigrationFiles } = await import('drizzle-orm/migrator');
  const migrationsFolder = fileURLToPath(new URL('../../../../drizzle', import.meta.url));
  const known = readMigrationFiles({ migrationsFolder });
  // Without the lock, and on a disk that is too full to write.
  if ((await appliedMigrations(sql)) >= known.length) return 0;
  return sql.transaction(async (bound) => {
    const run = (text: string, params: unknown[] = []) => bound.query({ text, role: 'job' }, params);
    await run(LOCK);
    await run(SCHEMA);
    await run(TABLE);
    const rows = await bound.query<{ created_at: string }>({ text: APPLIED, role: 'job' });
    const newest = Number(rows.at(-1)?.created_at ?? 0);
    const missing = known.filter((migration) => migration.folderMillis > newest);
    for (const migration of missing) {
      for (const statement of migration.sql) await run(statement);
      await run(RECORD, [migration.hash, String(migration.folderMillis)]);
    }
    return missing.length;
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
