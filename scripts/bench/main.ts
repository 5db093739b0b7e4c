import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { redisAvailable } from '../../tests/support/redis/redis.ts';
import type { RawTruck } from '../demo/dealer-file.ts';
import { type Served, startChild, startLocalService } from './children.ts';
import { Connection, requestBytes } from './connection.ts';
import { benchFeeds, tellFeeds } from './feeds/feeds.ts';
import { Floor } from './floor.ts';
import { median } from './numbers.ts';
import { serviceContender, startBare, startDirectus, startFeathers } from './peers/contenders.ts';
import { installPeers } from './peers/install.ts';
import { measurePeers, tellPeers } from './peers/peers.ts';
import { type BenchPostgres, startPostgres } from './postgres.ts';
import { fixed, print, tellBatches, tellReads, tellStatuses, whole } from './report.ts';
import { measureBatches, seed } from './requests/batches.ts';
import { measureReads, serviceReader } from './requests/reads.ts';
import { ADMIN_TOKEN, newSeller, PATH, type Seller } from './requests/seller.ts';
import { measureSingles, readVin } from './requests/singles.ts';
import { measureStatuses } from './requests/statuses.ts';
import { benchSearch, tellSearch } from './search/search.ts';
import { BATCH, batchesOfTrucks } from './trucks.ts';

/**
 * `npm run bench`: the service against floors that do no more than they must, measured alternately in one run, so that
 * the ratios hold on any machine. Names of parts run only those: `npm run bench -- batches reads`. `--quick` proves
 * that it runs; its figures mean nothing.
 */

const PARTS = ['batches', 'reads', 'singles', 'feeds', 'search', 'peers'] as const;
type Part = (typeof PARTS)[number];
/** Search takes minutes of its own, and peers are installed for it: they run when they are named. */
const DEFAULT: readonly Part[] = ['batches', 'reads', 'singles', 'feeds'];

const { values: flags, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
const unknown = named.find((name) => !PARTS.some((part) => part === name));
if (unknown !== undefined) throw new Error(`${unknown}: the parts are ${PARTS.join(', ')}`);
const isAsked = (part: Part) => (named.length === 0 ? DEFAULT : named).includes(part);

const { quick } = flags;
const SIZE = quick
  ? {
      stored: 8,
      rounds: 3,
      reads: { rounds: 2, ms: 300 },
      singles: 30,
      cold: 1,
      keys: 12,
      search: { listings: 20_000, rounds: 10 },
      peers: { batches: 4, ms: 200 },
      feed: { rows: 10_000 },
    }
  : {
      stored: 200,
      rounds: 15,
      reads: { rounds: 7, ms: 1_000 },
      singles: 300,
      cold: 5,
      keys: 60,
      search: { listings: 100_000, rounds: 200, others: { accounts: 1_000, listings: 1_000 } },
      peers: { batches: 17, ms: 1_000 },
      feed: { rows: 1_000_000 },
    };
const FRESH = SIZE.rounds + 2;

const undo: (() => Promise<unknown>)[] = [];
process.once('SIGINT', () => process.exit(130));
try {
  await run();
} finally {
  for (let step = undo.pop(); step; step = undo.pop()) await step();
}

async function run(): Promise<void> {
  const started = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'ctis-bench-run-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres();
  undo.push(() => postgres.stop());
  const stage: Stage = { folder, postgres };
  print(`Node ${process.versions.node}, ${availableParallelism()} cores\n`);
  if (isAsked('batches') || isAsked('reads') || isAsked('singles')) await runRequests(stage);
  if (isAsked('search')) tellSearch(await benchSearch(await newDatabase(stage, 'search'), SIZE.search));
  if (isAsked('peers')) await runPeers(stage);
  if (isAsked('feeds')) tellFeeds(await benchFeeds(await newDatabase(stage, 'feeds'), SIZE.feed));
  print(`\nThe run took ${whole((performance.now() - started) / 1000)} s`);
}

/** What is measured over HTTP, in an account of 100,000 listings. */
async function runRequests(stage: Stage): Promise<void> {
  const service = await startService(stage, 'service');
  const seller = await newSeller(service.origin, SIZE.keys);
  const batches = batchesOfTrucks(SIZE.stored + FRESH + 1);
  const stored = batches.slice(0, SIZE.stored);
  const fresh = batches.slice(SIZE.stored, SIZE.stored + FRESH);
  const rate = await seed(service.origin, seller, stored);
  print(
    `${SIZE.stored * BATCH} listings stored over HTTP in batches of ${BATCH}: ${whole(rate)} records/s\n`,
  );
  const floor = await Floor.open(stage.postgres.url, seller.accountId);
  undo.push(() => floor.close());
  if (isAsked('batches')) {
    await floor.settle();
    tellBatches(await measureBatches(service.origin, seller, floor, { fresh, stored, rounds: SIZE.rounds }));
    const lots = { sold: fresh, changed: stored, rounds: SIZE.rounds };
    tellStatuses(await measureStatuses(service.origin, seller, lots));
  }
  const vins = stored
    .flat()
    .map(readVin)
    .filter((_, index) => index % Math.ceil(SIZE.stored / 10) === 0);
  if (isAsked('reads')) {
    await floor.settle();
    await runReads(stage, service, seller, vins);
  }
  if (isAsked('singles')) await runSingles(stage, service, seller, vins, batches.at(-1) ?? []);
}

async function runPeers(stage: Stage): Promise<void> {
  const folder = await installPeers();
  const url = await newDatabase(stage, 'peers');
  const service = await startService(stage, 'beside-peers', {
    POSTGRES_URL: await newDatabase(stage, 'beside_peers'),
  });
  const start = (script: string, env: Record<string, string>, args: readonly string[] = []) =>
    startScript(stage, basename(script), script, env, args);
  const contenders = [
    await startBare(url, start),
    serviceContender(service.origin, await newSeller(service.origin, SIZE.keys)),
    await startFeathers(url, folder, start),
    await startDirectus(url, folder, start),
  ];
  const batches = batchesOfTrucks(SIZE.peers.batches);
  tellPeers(contenders, await measurePeers(contenders, { batches, ms: SIZE.peers.ms }));
}

/** What every part of the run uses. */
interface Stage {
  folder: string;
  postgres: BenchPostgres;
}

async function startScript(
  { folder }: Stage,
  name: string,
  script: string,
  env: Record<string, string>,
  args: readonly string[] = [],
) {
  const served = await startChild(script, env, join(folder, `${name}.log`), args);
  undo.push(() => served.stop());
  return served;
}

async function startService({ folder, postgres }: Stage, name: string, more: Record<string, string> = {}) {
  const env = { POSTGRES_URL: postgres.url, ADMIN_TOKEN, DATA_DIR: join(folder, name), PORT: '0', ...more };
  const served = await startLocalService(env, join(folder, `${name}.log`));
  undo.push(() => served.stop());
  return served;
}

async function runReads(stage: Stage, service: Served, seller: Seller, vins: string[]): Promise<void> {
  const bare = await startScript(stage, 'bare', 'scripts/bench/requests/bare-server.ts', {
    POSTGRES_URL: stage.postgres.url,
    BENCH_ACCOUNT: seller.accountId,
  });
  const joined = { origin: bare.origin, toPath: (vin: string) => `/${vin}` };
  const load = { seller, vins, ...SIZE.reads };
  const reads = [
    await measureReads('memory limiter, log to a file', serviceReader(service.origin), joined, load),
  ];
  if (redisAvailable()) {
    const redis = await startScript(stage, 'redis', 'scripts/bench/redis-server.ts', {});
    const limited = await startService(stage, 'redis-limited', {
      UPSTASH_REDIS_REST_URL: redis.origin,
      UPSTASH_REDIS_REST_TOKEN: redis.line.split(' ')[1] ?? '',
    });
    reads.push(
      await measureReads('Redis limiter, log to a file', serviceReader(limited.origin), joined, load),
    );
  }
  tellReads(reads);
  if (!redisAvailable()) print('  Redis: redis-server is not installed, so there is no figure with it');
}

async function runSingles(
  stage: Stage,
  service: Served,
  seller: Seller,
  vins: string[],
  trucks: RawTruck[],
): Promise<void> {
  print('\nOne request after the other, ms                p50      p99');
  const singles = await measureSingles(service.origin, seller, trucks.slice(0, SIZE.singles));
  for (const { name, p50, p99 } of singles) print(`  ${name.padEnd(36)} ${fixed(p50, 2)} ${fixed(p99, 2)}`);
  print(
    `\nService's memory after the run: ${service.residentMegabytes()?.toFixed(0) ?? 'unknown'} MB resident`,
  );
  const cold = await coldStarts(() => startService(stage, 'cold'), seller, vins[0] ?? '');
  print(
    `From the start of the process to the first GET's answer: ${whole(cold)} ms (unbundled, as npm start runs it)`,
  );
}

/** Makes a database of a part's own; returns its address. */
async function newDatabase({ postgres }: Stage, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href;
}

/** Milliseconds from starting the process to the answer of its first GET, the median of several. */
async function coldStarts(
  start: () => Promise<{ origin: string; stop(): Promise<void> }>,
  { keys }: Seller,
  vin: string,
): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < SIZE.cold; count++) {
    const started = performance.now();
    const served = await start();
    const connection = await Connection.open(served.origin);
    const { status } = await connection.send(requestBytes('GET', `${PATH}/${vin}`, keys[0] ?? ''));
    times.push(performance.now() - started);
    connection.close();
    await served.stop();
    if (status !== 200) throw new Error(`a cold GET answered ${status}`);
  }
  return median(times);
}
