import pg from 'pg';
import { openPg } from '../lib/db/connection/pool.ts';
import { distribute, NotCitus } from '../lib/db/migrations/distribute.ts';
import { migrate } from '../lib/db/migrations/migrate.ts';
import { readEnv } from '../lib/env.ts';

/** `npm run distribute`: migrates the database of POSTGRES_URL, a Citus coordinator, and spreads its accounts over the workers. */
const { postgres } = readEnv(process.env);
if (!postgres) {
  console.error('POSTGRES_URL is not set; it names the coordinator.');
  process.exit(1);
}
const sql = openPg({ url: postgres.directUrl });
await migrate(sql);
await sql.close();

const client = new pg.Client({ connectionString: postgres.directUrl });
await client.connect();
try {
  const tables = await distribute({
    query: async ({ text }, params) => (await client.query(text, params && [...params])).rows,
  });
  console.log(
    tables.length === 0 ? 'Everything is distributed.' : `${tables.length} tables distributed by account.`,
  );
} catch (error) {
  if (!(error instanceof NotCitus)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await client.end();
}
