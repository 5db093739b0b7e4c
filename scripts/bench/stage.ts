import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type RawTruck, writeTrucks } from '../trucks/trucks.ts';
import { Client, type Request } from './http.ts';
import { startPostgres } from './postgres.ts';

/** What is measured over HTTP: the service in a process of its own, and an account with many listings. */
export interface Stage {
  origin: string;
  postgresUrl: string;
  accountId: string;
  /** As many as keep the load under the limits. */
  keys: readonly string[];
  /** What is stored, in batches of the largest size. */
  batches: RawTruck[][];
  /** Starts a script whose first line on stdout names its address. */
  start(script: string, env: Record<string, string>): Promise<string>;
  stop(): Promise<void>;
}

export const BATCH = 500;
export const DEALER = 'bench-trucks';
export const PROVIDER = 'bench-dms';
export const PATH = '/api/v1/inventory';
const ADMIN_TOKEN = 'operator-of-the-bench';
const KEYS = 60;
const ROOT = join(import.meta.dirname, '..', '..');

export async function openStage(batchCount: number): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'ctis-bench-'));
  const undo = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  };
  const start = async (script: string, env: Record<string, string>) => {
    const file = join(folder, `${undo.length}.log`);
    const child = startScript(script, { ...env, PORT: '0', DATA_DIR: join(folder, 'data') }, file);
    undo.push(() => endProcess(child));
    return awaitAddress(child, file);
  };
  try {
    const postgres = await startPostgres();
    undo.push(() => postgres.stop());
    const origin = await start('lib/local/main.ts', { POSTGRES_URL: postgres.url, ADMIN_TOKEN });
    const seller = await newSeller(origin);
    const batches = batchesOfTrucks(batchCount);
    await store(origin, seller.keys, batches);
    await dropJobs(postgres.url);
    return { origin, postgresUrl: postgres.url, ...seller, batches, start, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Batches of trucks that the service accepts; another `first` gives others. */
export const batchesOfTrucks = (count: number, first = 0): RawTruck[][] =>
  Array.from({ length: count }, (_, at) =>
    writeTrucks(BATCH, new Date().getUTCFullYear(), first + at * BATCH),
  );

/** What a dealer changes from day to day. */
export const reprice = (truck: RawTruck): RawTruck => ({
  ...truck,
  price: Number(String(truck.price).replace(/[$,]/g, '')) - 100,
});

export const toBatch = (key: string, records: readonly RawTruck[]): Request => ({
  method: 'POST',
  path: PATH,
  key,
  body: { source_provider_id: PROVIDER, records },
});

async function newSeller(origin: string): Promise<Pick<Stage, 'accountId' | 'keys'>> {
  const client = new Client(origin, 1);
  const post = (path: string, key: string, body: object) => client.send({ method: 'POST', path, key, body });
  // The answers of a starter carry no market position, which the bare handler does not look up either.
  const account = { name: 'Bench Trucks', tier: 'starter', limit_multiplier: 100 };
  const { id } = await post('/api/admin/accounts', ADMIN_TOKEN, account);
  const keys: string[] = [];
  while (keys.length < KEYS) {
    const { key } = await post('/api/admin/keys', ADMIN_TOKEN, { account_id: id, kind: 'secret' });
    keys.push(String(key));
  }
  await post('/api/v1/dealers', keys[0] ?? '', { slug: DEALER, name: 'Bench Trucks' });
  await client.close();
  return { accountId: String(id), keys };
}

async function store(origin: string, keys: readonly string[], batches: RawTruck[][]): Promise<void> {
  const client = new Client(origin, 1);
  for (const [at, records] of batches.entries()) {
    const { summary } = await client.send(toBatch(keys[at % keys.length] ?? '', records));
    const { created } = summary as Record<string, number>;
    if (created !== BATCH) throw new Error(`a batch became ${JSON.stringify(summary)}`);
  }
  await client.close();
}

/** Photos whose servers do not exist would be asked for beside all that is measured, for many minutes. */
async function dropJobs(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('delete from jobs');
  await client.query('vacuum analyze');
  await client.end();
}

/** stdout goes to a file, as in production to a log. */
function startScript(script: string, env: Record<string, string>, file: string): ChildProcess {
  const output = openSync(file, 'w');
  const child = spawn(process.execPath, [join(ROOT, script), '--no-docs'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', output, 'inherit'],
  });
  closeSync(output);
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

async function awaitAddress(child: ChildProcess, file: string): Promise<string> {
  for (let waitedMs = 0; waitedMs < 60_000 && child.exitCode === null; waitedMs += 50) {
    const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(readFileSync(file, 'utf8')) ?? [];
    if (origin !== undefined) return origin;
    await sleep(50);
  }
  throw new Error(`a process did not start:\n${readFileSync(file, 'utf8').slice(0, 2_000)}`);
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
