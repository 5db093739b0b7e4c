import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readEnv } from '../env.ts';
import { openDataDir } from './data-dir.ts';
import { withDocs } from './docs-site.ts';
import { withOwnAddress } from './own-address.ts';
import { type LocalFiles, withFiles } from './pages.ts';
import { startCrons } from './platform/crons.ts';
import { createPlatform } from './platform/platform.ts';
import { installWaitUntil } from './platform/wait-until.ts';
import { startEmbeddedPostgres } from './postgres/embedded-postgres.ts';
import { localSecrets } from './secrets.ts';
import { startServer } from './server.ts';

export interface ServiceOptions {
  /** Default: PORT, then 3000. 0 takes any free port. */
  port?: number;
  /** Default: HOST, then 127.0.0.1. */
  host?: string;
  /** What to do when the port is in use; default `fail`, which throws `PortTaken`. */
  whenTaken?: 'fail' | 'free';
  /** Goes over process.env until `stop`. */
  env?: Record<string, string>;
  /** No log lines (LOG=silent). */
  quiet?: boolean;
  /** Also of the database in it. Default: says so on stderr and ends the process, which cannot keep anything any more. */
  onDataDirLost?: (message: string) => void;
  /** Served beside the service's own routes, ahead of them. */
  files?: LocalFiles;
  /** Builds the docs site beside the service if it is missing. */
  docs?: boolean;
}

export interface RunningService {
  /** Origin without a slash at the end, for example `http://127.0.0.1:3000`. */
  url: string;
  adminToken: string;
  /** The file that a generated ADMIN_TOKEN is kept in; null when the environment names the token. */
  adminTokenFile: string | null;
  /** Where the data is, in words. */
  data: string;
  /** Finishes what runs, closes everything, gives the data folder back; within 4.5 s. Repeating it is harmless. */
  stop(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '..', '..');
const REQUESTS_MS = 2_500;
const BACKGROUND_MS = 500;
/** Longer than the database's own limits for closing. */
const PORTS_MS = 1_500;

/**
 * Starts the whole service in this process: data folder, schema, HTTP server, crons. Throws `EnvError`,
 * `DataDirTaken` or `PortTaken` with a message for the user; whatever was opened by then is closed again.
 * The environment is one per process, so only one service runs at a time.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const undo: (() => Promise<void> | void)[] = [];
  const unwind = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  };
  try {
    return await start(options, undo, once(unwind));
  } catch (error) {
    await unwind().catch(() => undefined);
    throw error;
  }
}

async function start(
  options: ServiceOptions,
  undo: (() => Promise<void> | void)[],
  stop: () => Promise<void>,
): Promise<RunningService> {
  undo.push(setEnv({ ...options.env, ...(options.quiet ? { LOG: 'silent' } : {}) }));
  const env = readEnv(process.env);
  const host = options.host ?? (process.env.HOST || '127.0.0.1');
  const port = options.port ?? readPort(process.env.PORT);

  const isEmbedded = env.postgres === null;
  if (isEmbedded) await openEmbedded(env.dataDir, undo, options.onDataDirLost ?? endProcess);
  const secrets = localSecrets(process.env, env.dataDir);
  undo.push(setEnv(secrets.values));

  const background = installWaitUntil();
  undo.push(() => background.uninstall());
  // Only now: connecting reads the environment.
  const { connect, disconnect } = await import('../connect.ts');
  undo.push(async () => {
    if (!(await within(PORTS_MS, disconnect()))) throw new Error('the database did not close in time');
  });
  undo.push(async () => void (await background.settled(BACKGROUND_MS)));
  const log = env.log === 'silent' ? () => {} : writeLine;
  const platform = await createPlatform({ root: ROOT, log });
  const docs = options.docs ? withDocs(platform, ROOT) : { platform, stop: () => {} };
  undo.push(() => docs.stop());
  const own = withOwnAddress(docs.platform, env.publicUrl);
  const served = options.files ? withFiles(own, options.files) : own;
  const ready = Promise.withResolvers<void>();
  // Whoever waits for an answer finds the schema there.
  const held: typeof served = {
    ...served,
    dispatch: (...call) => ready.promise.then(() => served.dispatch(...call)),
  };
  const proxies = { trusted: env.trustProxy, publicUrl: env.publicUrl };
  const server = await startServer({
    platform: held,
    host,
    port,
    whenTaken: options.whenTaken ?? 'fail',
    proxies,
  });
  undo.push(async () => void (await server.close(REQUESTS_MS)));
  const url = `http://${hostInUrl(host)}:${server.port}`;
  undo.push(setEnv({ PUBLIC_URL: process.env.PUBLIC_URL ?? url }));
  await connect().store.ping();
  ready.resolve();
  // What killed runs left; a full disk must not wait for the hourly sweep.
  void connect()
    .tempFiles.sweep()
    .catch(() => undefined);

  const secret = process.env.CRON_SECRET;
  if (secret) {
    const crons = startCrons(platform, { origin: url, secret });
    undo.push(() => crons.stop());
  }
  return {
    url,
    adminToken: process.env.ADMIN_TOKEN ?? '',
    adminTokenFile: secrets.files.ADMIN_TOKEN ?? null,
    data: isEmbedded ? `in ${env.dataDir}` : 'in the database of POSTGRES_URL',
    stop,
  };
}

/** Takes the folder, starts the database in it and names it to the environment. */
async function openEmbedded(
  path: string,
  undo: (() => Promise<void> | void)[],
  onLost: (message: string) => void,
): Promise<void> {
  const dataDir = await openDataDir(path);
  undo.push(() => dataDir.release());
  const password = dataDir.secret('POSTGRES_PASSWORD', () => randomBytes(24).toString('base64url'));
  const database = await startEmbeddedPostgres({ folder: join(dataDir.path, 'postgres'), password, onLost });
  undo.push(() => database.stop());
  dataDir.watch(onLost);
  undo.push(
    setEnv({ POSTGRES_URL: database.url, POSTGRES_URL_NON_POOLING: database.url, POSTGRES_DRIVER: 'pg' }),
  );
}

function endProcess(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function writeLine(entry: Record<string, unknown>): void {
  const stream = entry.level === 'error' ? process.stderr : process.stdout;
  stream.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
}

/** Puts values into process.env; the function it returns puts back what was there. */
function setEnv(values: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, values);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

/** `readEnv` has looked at it by then. */
const readPort = (text: string | undefined): number => (text?.trim() ? Number(text) : 3_000);

/** An address that means "every interface" is printed as one that can be called. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
}

function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
