import { afterAll } from 'vitest';
import { openPg } from '../../../lib/adapters/postgres/connection/pg.ts';
import type { Sql } from '../../../lib/adapters/postgres/connection/sql.ts';
import { migrate } from '../../../lib/adapters/postgres/migrations/migrate.ts';
import { usePostgres } from './postgres.ts';

/** A migrated database of the suite's own on a real server, which goes when the suite has ended. */
export async function suiteDatabase(): Promise<{ url: string; sql: Sql }> {
  const server = await usePostgres();
  const url = await server.createDatabase();
  const sql = openPg({ url });
  afterAll(async () => {
    await sql.close();
    await server.dropDatabase(url);
    await server.stop();
  });
  await migrate(sql);
  return { url, sql };
}
