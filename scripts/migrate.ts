import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseDown, isServerError } from '../lib/db/connection/errors.ts';
import { openPg } from '../lib/db/connection/pool.ts';
import { migrate } from '../lib/db/migrations/migrate.ts';
import type { Sql } from '../lib/db/sql.ts';
import { EnvError, readEnv } from '../lib/env.ts';

/** `npm run migrate`: brings the database of POSTGRES_URL up to date, over the direct URL where there is one. */
try {
  await main();
} catch (error) {
  console.error(describeFailure(error) ?? error);
  process.exit(1);
}

async function main(): Promise<void> {
  const { postgres } = readEnv(process.env);
  if (!postgres)
    throw new EnvError(
      'POSTGRES_URL (or DATABASE_URL) is not set; the database of `npm start` is migrated when it starts.',
    );
  const sql = openPg({ url: postgres.directUrl });
  await waitForDatabase(sql);
  const applied = await migrate(sql);
  await sql.close();
  console.log(applied === 0 ? 'The schema is up to date.' : `${applied} migration(s) applied.`);
}

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

/** Lines for what the operator can put right; null for a fault of ours. */
function describeFailure(error: unknown): string | null {
  if (error instanceof EnvError) return error.message;
  const isRefused = isServerError(error) && error.severity === 'FATAL';
  const cause = error instanceof DatabaseDown ? error.cause : isRefused ? error : null;
  if (!(cause instanceof Error)) return null;
  return `The database could not be reached: ${cause.message}. Check POSTGRES_URL_NON_POOLING (or DATABASE_URL_UNPOOLED), and where it is unset POSTGRES_URL (or DATABASE_URL).`;
}
