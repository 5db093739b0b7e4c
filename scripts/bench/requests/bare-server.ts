import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import pg from 'pg';
import { findOrigins } from '../../../lib/domain/listing/origins.ts';
import { explainQuality } from '../../../lib/domain/listing/quality.ts';
import { JOINED } from './documents.ts';

/**
 * What GET by VIN is measured against, in a process of its own: Hono, one prepared statement by pg, no
 * authentication, no limits, no request id, no log. BENCH_ACCOUNT is the account, PostgreSQL the same.
 */

const account = process.env.BENCH_ACCOUNT ?? '';
const pool = new pg.Pool({ connectionString: process.env.POSTGRES_URL ?? '', max: 5 });

const app = new Hono();

app.get('/:vin', async (context) => {
  const { rows } = await pool.query({
    name: 'joined',
    text: JOINED,
    values: [account, context.req.param('vin')],
  });
  const [row] = rows;
  return row
    ? context.json({
        ...row.doc,
        quality: explainQuality(row.quality),
        origins: findOrigins(row.doc),
        ...row.rest,
      })
    : context.json({ error: 'not found' }, 404);
});

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  process.exit(0);
});
