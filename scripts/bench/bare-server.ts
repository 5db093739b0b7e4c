import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import pg from 'pg';

/**
 * What GET by VIN is measured against, in a process of its own: Hono, one prepared statement by pg, no
 * authentication, no limits, no request id, no log. BENCH_ACCOUNT is the account, PostgreSQL the same.
 */

const account = process.env.BENCH_ACCOUNT ?? '';
const pool = new pg.Pool({ connectionString: process.env.POSTGRES_URL ?? '', max: 5 });

const iso = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The document with its history, as it is answered. */
const JOINED = `
  select l.doc, json_build_object(
    'status', l.status,
    'price_history', (
      select coalesce(json_agg(json_build_object('price', e.new_price, 'at', ${iso('e.at')}) order by e.version), '[]')
      from listing_events e where e.account_id = $1 and e.dedup_hash = l.dedup_hash
        and (e.kind = 'created' or e.old_price is distinct from e.new_price)),
    'sources', (
      select json_agg(json_build_object('source_provider_id', nullif(o.source_provider_id, ''),
        'dedup_hash', encode(o.dedup_hash, 'hex'), 'status', o.status, 'observed_at', ${iso('o.observed_at')}))
      from listings o where o.account_id = $1 and o.vin = $2),
    'observed_at', ${iso('l.observed_at')}, 'first_seen_at', ${iso('l.first_seen_at')},
    'updated_at', ${iso('l.updated_at')}, 'sold_at', ${iso('l.sold_at')},
    'delisted_at', ${iso('l.delisted_at')}) as rest
  from listings l where l.account_id = $1 and l.vin = $2 limit 1`;

/** The same document, finished, in one column. */
const FINISHED = 'select doc from bench_documents where account_id = $1 and vin = $2';

const app = new Hono();

app.get('/joined/:vin', async (context) => {
  const { rows } = await pool.query({ name: 'joined', text: JOINED, values: [account, context.req.param('vin')] });
  const [row] = rows;
  return row ? context.json({ ...row.doc, ...row.rest }) : context.json({ error: 'not found' }, 404);
});

app.get('/finished/:vin', async (context) => {
  const { rows } = await pool.query({
    name: 'finished',
    text: FINISHED,
    values: [account, context.req.param('vin')],
  });
  const [row] = rows;
  return row ? context.json(row.doc) : context.json({ error: 'not found' }, 404);
});

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  process.exit(0);
});
