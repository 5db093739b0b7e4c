import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import pg from 'pg';
import { COLUMNS, TYPES } from './peer-table.ts';

/** What peers are measured against: Hono and one statement by pg for each request, on a table like theirs. */

const pool = new pg.Pool({ connectionString: process.env.POSTGRES_URL ?? '', max: 5 });
const app = new Hono();

const UPSERT = `
  insert into peer_bare (${COLUMNS}) select ${COLUMNS} from json_to_recordset($1::json) as r(${TYPES})
  on conflict (vin) do update set ${COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}
  returning vin`;

app.post('/trucks', async (context) => {
  const { rows } = await pool.query({ name: 'upsert', text: UPSERT, values: [await context.req.text()] });
  return context.json(rows);
});

app.get('/trucks/:vin', async (context) => {
  const text = 'select * from peer_bare where vin = $1';
  const { rows } = await pool.query({ name: 'read', text, values: [context.req.param('vin')] });
  return rows[0] ? context.json(rows[0]) : context.json({ error: 'not found' }, 404);
});

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  process.exit(0);
});
