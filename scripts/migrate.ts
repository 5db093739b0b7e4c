import { setTimeout as sleep } from 'node:timers/promises';
import { openPg } from '../lib/adapters/postgres/connection/pg.ts';
import { DatabaseDown, type Sql } from '../lib/adapters/postgres/connection/sql.ts';
import { migrate } from '../lib/adapters/postgres/migrations/migrate.ts';
import { readEnv } from '../lib/env.ts';

/** `npm run migrate`: brings the database of POSTGRES_URL up to date, over the direct URL where there is one. */
const { postgres } = readEnv(process.env);
if (!postgres) {
  console.error(
    'POSTGRES_URL (or DATABASE_URL) is not set; the embedded database migrates itself when the service starts.',
  );
  process.exit(1);
}
const sql = openPg({ url: postgres.directUrl });
await waitForDatabase(sql);
const applied = await migrate(sql);
await sql.close();
console.log(applied === 0 ? 'The schema is up to date.' : `${applied} migration(s) applied.`);
if (applied > 0 && postgres.driver === 'citus') console.log('Next: npm run distribute.');

/** A serverless database wakes with the first connection, and one that has just been made may take its time. */
async function waitForDatabase(sql: Sql): Promise<void> {
  const latest = performance.now() + 30_000;
  for (;;)
    try {
      return void (await sql.query({ text: 'select 1' }));
    } catch (error) {
      if (!(error instanceof DatabaseDown) || performance.now() > latest) throw error;
      await sleep(500);
    }
}
