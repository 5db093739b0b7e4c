import { afterAll } from 'vitest';
import { openPg } from '../../../lib/db/connection/pool.ts';
import type { Sql } from '../../../lib/db/sql.ts';
import { usePostgres } from './postgres.ts';

/** The database that the run's setup has migrated. */
export const MIGRATED = 'migrated';

/** URL of a new database with the schema in it, which lasts as long as the run. */
export async function newDatabase(): Promise<string> {
  return (await usePostgres()).createDatabase(MIGRATED);
}

/** A migrated database of the suite's own, which goes when the suite has ended. */
export async function suiteDatabase(): Promise<{ url: string; sql: Sql }> {
  const url = await newDatabase();
  const sql = openPg({ url });
  afterAll(async () => {
    await sql.close();
    await (await usePostgres()).dropDatabase(url);
  });
  return { url, sql };
}
