import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import pg from 'pg';
import { iso } from '../../lib/db/fragments.ts';
import { IMAGES } from '../../lib/inventory/queries/listing-json.ts';
import { findOrigins } from '../../lib/truck/listing/origins.ts';
import { explainQuality } from '../../lib/truck/listing/quality.ts';

/**
 * What GET by VIN is measured against, in a process of its own: Hono and one prepared statement by pg that builds the
 * same document; no authentication, no limits, no request id, no log. BENCH_ACCOUNT is the account.
 */

const BY_VIN = `
  select l.doc, l.quality, json_build_object(
    'images', ${IMAGES},
    'status', l.status,
    'price_history', (
      select coalesce(json_agg(json_build_object('price', e.new_price, 'at', ${iso('e.at')}) order by e.version), '[]')
      from listing_events e where e.account_id = $1 and e.dedup_hash = l.dedup_hash
        and (e.kind = 'created' or e.old_price is distinct from e.new_price)),
    'sources', (
      select json_agg(json_build_object('source_provider_id', nullif(o.source_provider_id, ''),
        'dedup_hash', encode(o.dedup_hash, 'hex'), 'status', o.status, 'observed_at', ${iso('o.observed_at')}))
      from listings o where o.account_id = $1 and o.vin = l.vin),
    'observed_at', ${iso('l.observed_at')}, 'first_seen_at', ${iso('l.first_seen_at')},
    'updated_at', ${iso('l.updated_at')}, 'sold_at', ${iso('l.sold_at')},
    'delisted_at', ${iso('l.delisted_at')}) as rest
  from listings l where l.account_id = $1 and l.vin = $2 limit 1`;

const pool = new pg.Pool({ connectionString: process.env.POSTGRES_URL ?? '', max: 5 });
const app = new Hono();

app.get('/:vin', async (context) => {
  const values = [process.env.BENCH_ACCOUNT, context.req.param('vin')];
  const { rows } = await pool.query({ name: 'by-vin', text: BY_VIN, values });
  const [row] = rows;
  if (!row) return context.json({ error: 'not found' }, 404);
  const { doc, quality, rest } = row;
  return context.json({ ...doc, quality: explainQuality(quality), origins: findOrigins(doc), ...rest });
});

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  process.exit(0);
});
