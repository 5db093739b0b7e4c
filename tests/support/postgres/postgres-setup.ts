import type { TestProject } from 'vitest/node';
import { openPg } from '../../../lib/db/connection/pool.ts';
import { migrate } from '../../../lib/db/migrations/migrate.ts';
import { startPostgres } from './postgres.ts';
import { MIGRATED } from './suite-database.ts';

/** Vitest's global setup of each project: one PostgreSQL server for the whole run, with a migrated database to copy. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = project.vitest.getRootProject();
  if (run.getProvidedContext().postgresUrl !== undefined) return undefined;
  const server = await startPostgres();
  const template = await server.createDatabase(undefined, MIGRATED);
  const sql = openPg({ url: template });
  await migrate(sql);
  await sql.close();
  run.provide('postgresUrl', server.url);
  return () => server.stop();
}
