import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import type { RawTruck } from '../../demo/dealer-file.ts';
import { startLocalService } from '../children.ts';
import { Connection, requestBytes, throughput } from '../connection.ts';
import { startPostgres } from '../postgres.ts';
import { fixed, print, whole } from '../report.ts';
import { seed } from '../requests/batches.ts';
import { ADMIN_TOKEN, DEALER, newSeller, PATH, PROVIDER, type Seller } from '../requests/seller.ts';
import { readVin } from '../requests/singles.ts';
import { BATCH, batchesOfTrucks, repriced } from '../trucks.ts';
import { runStreams, type Stream, type StreamFigure } from './load.ts';

/**
 * `node scripts/bench/mixed/mixed.ts`: what one instance's callers feel of each other. 150 GETs, 6 searches, 6 requests of
 * widgets and a batch of 500 a second, beside the same GETs alone. `--quick` proves that it runs.
 */

const quick = process.argv.includes('--quick');
const SECONDS = quick ? 3 : 60;
const STORED = quick ? 4 : 40;
const REQUESTS = quick ? 1_000 : 100_000;

const folder = await mkdtemp(join(tmpdir(), 'ctis-mixed-'));
const postgres = await startPostgres();
const loopFile = join(folder, 'loop.json');
const service = await startLocalService(
  {
    POSTGRES_URL: postgres.url,
    ADMIN_TOKEN,
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'loop-delay.ts')).href}`,
    LOOP_DELAY_FILE: loopFile,
  },
  join(folder, 'service.log'),
);
const database = new pg.Client(postgres.url);
await database.connect();
try {
  await run();
} finally {
  await database.end();
  await service.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const seller = await newSeller(service.origin, 60);
  const stored = batchesOfTrucks(STORED);
  await seed(service.origin, seller, stored);
  const streams = streamsFor(seller, stored);
  const gets = streams.slice(0, 1);
  await runStreams(service.origin, gets, SECONDS / 6);
  const [alone] = await runStreams(service.origin, gets, SECONDS);
  const before = service.residentMegabytes();
  const mostConnections = countConnections();
  await rm(loopFile);
  const mixed = await runStreams(service.origin, streams, SECONDS);
  const connections = await mostConnections.stop();
  const [get] = mixed;
  if (!alone || !get) throw new Error('nothing was measured');
  report([{ ...alone, name: `${alone.name}, alone` }, ...mixed]);
  print(`GET's p99 beside the others: ${(get.p99 / alone.p99).toFixed(2)} of GET alone (goal 3)`);
  print(`connections to PostgreSQL at most ${connections} (goal 5)`);
  const { p50, p99, max } = JSON.parse(await readFile(loopFile, 'utf8'));
  print(
    `loop of the service late by ${fixed(p50, 1)} ms (p50) ${fixed(p99, 1)} (p99) ${fixed(max, 0)} (longest)`,
  );
  const after = service.residentMegabytes();
  await readMany(streams);
  const end = service.residentMegabytes();
  const figures = [before, after, end].map((megabytes) =>
    megabytes === null ? 'unknown' : whole(megabytes),
  );
  print(`resident MB before, after, and after ${REQUESTS} GETs more: ${figures.join(', ')}`);
}

function streamsFor({ keys }: Seller, stored: RawTruck[][]): Stream[] {
  let count = 0;
  const key = () => keys[count++ % keys.length] ?? '';
  const vins = stored.flat().map(readVin);
  const vin = () => vins[(count * 37) % vins.length] ?? '';
  let batch = 0;
  const changed = () => {
    const place = batch++ % stored.length;
    const records = (stored[place] ?? []).map(repriced);
    stored[place] = records;
    return { source_provider_id: PROVIDER, records };
  };
  const widget = `/api/v1/widget/inventory?dealerSlug=${DEALER}&visitorId=bench`;
  return [
    { name: 'GET by VIN', perSecond: 150, next: () => requestBytes('GET', `${PATH}/${vin()}`, key()) },
    { name: 'search', perSecond: 6, next: () => requestBytes('GET', `${PATH}?q=freightliner+2019`, key()) },
    { name: 'widget', perSecond: 6, next: () => requestBytes('GET', widget, key()) },
    { name: `batch of ${BATCH}`, perSecond: 1, next: () => requestBytes('POST', PATH, key(), changed()) },
  ];
}

function report(figures: readonly StreamFigure[]): void {
  print(`${'ms'.padEnd(20)}     sent      p50      p99`);
  for (const { name, sent, p50, p99 } of figures)
    print(`${name.padEnd(20)} ${fixed(sent, 0)} ${fixed(p50, 1)} ${fixed(p99, 1)}`);
}

async function readMany([gets]: readonly Stream[]): Promise<void> {
  const connections = await Promise.all(Array.from({ length: 16 }, () => Connection.open(service.origin)));
  const next = () => gets?.next() ?? Buffer.alloc(0);
  for (let answered = 0; answered < REQUESTS; ) answered += await throughput(connections, next, 1_000);
  for (const connection of connections) connection.close();
}

/** Looks four times a second how many connections the service has. */
function countConnections() {
  let most = 0;
  const look = async () => {
    const { rows } = await database.query(
      `select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    most = Math.max(most, rows[0].n);
  };
  let looking: Promise<void> = look();
  const timer = setInterval(() => {
    // A run that failed has closed the connection.
    looking = looking.then(look).catch(() => clearInterval(timer));
  }, 250);
  return {
    async stop(): Promise<number> {
      clearInterval(timer);
      await looking;
      return most;
    },
  };
}
