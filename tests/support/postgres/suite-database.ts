import { afterAll } from 'vitest';
import { openPg } from '../../../lib/db/connection/pool.ts';
import { usePostgres } from './postgres.ts';

/** The database that the run's setup has migrated. */
export const MIGRATED = 'migrated';

/** URL of a new database with the schema in it, which lasts as long as the run. */
export const newDatabase = () => usePostgres().createDatabase(MIGRATED);

/** A migrated database of the suite's own, which goes when the suite has ended. */
export async function suiteDatabase() {
  const url = await newDatabase();
  const sql = openPg({ url });
  afterAll(async () => {
    await sql.close();
    await usePostgres().dropDatabase(url);
  });
  return { url, sql };
}
