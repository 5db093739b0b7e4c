import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Hono } from 'hono';
import { connect, connectMigrated, disconnect } from '../connect.ts';
import { readEnv } from '../env.ts';
import { startCrons } from './crons.ts';
import { keepSecret, localSecrets, openDataDir } from './data-dir.ts';
import { buildDocs } from './docs-site.ts';
import { startEmbeddedPostgres } from './postgres/embedded-postgres.ts';
import { startServer } from './server.ts';

interface ServiceOptions {
  /** Overrides process.env. PORT is 3000 by default; 0 takes any free port. */
  env?: NodeJS.ProcessEnv;
  /** Builds the docs site first if it is missing or old. */
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
  /** Finishes what runs, closes everything, gives the data folder back. Repeating it is harmless. */
  stop(): Promise<void>;
}

const REQUESTS_MS = 2_500;
const BACKGROUND_MS = 500;

/**
 * Starts the whole service in this process: data folder, schema, HTTP server, crons. Throws `EnvError`
 * or `StartFault` with a message for the user; whatever was opened by then is closed again.
 * Ports are connected once per process, so only one service runs at a time.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const resources = new AsyncDisposableStack();
  try {
    return await start(options, resources);
  } catch (error) {
    await resources.disposeAsync().catch(() => undefined);
    throw error;
  }
}

async function start(options: ServiceOptions, resources: AsyncDisposableStack): Promise<RunningService> {
  const variables = { ...process.env, ...options.env };
  const { postgres, dataDir, trustProxy, publicUrl } = readEnv(variables);
  const host = variables.HOST?.trim() || '127.0.0.1';
  const building = options.docs ? buildDocs() : null;
  // The database starts meanwhile.
  const loading = import('./app.ts');
  const database = postgres ? {} : await openEmbedded(dataDir, resources);
  const secrets = localSecrets(variables, dataDir);
  const settle = installWaitUntil();
  resources.defer(async () => {
    await settle();
    await disconnect();
  });
  const ready = Promise.withResolvers<Hono>();
  const server = await startServer({
    // Requests wait until the schema is migrated.
    fetch: async (request) => (await ready.promise).fetch(request),
    host,
    port: Number(variables.PORT?.trim() || 3_000),
    proxies: { trusted: trustProxy, publicUrl },
  });
  resources.defer(() => server.close(REQUESTS_MS));
  const url = `http://${hostInUrl(host)}:${server.port}`;
  const env = readEnv({ PUBLIC_URL: url, ...variables, ...database, ...secrets });
  await connectMigrated(env);
  const { createApp } = await loading;
  await building;
  const app = createApp();
  ready.resolve(app);
  // Removes what killed runs left: a full disk must not wait for the hourly sweep.
  void connect().tempFiles.sweep();

  const headers = { authorization: `Bearer ${env.cronSecret}`, 'x-real-ip': '127.0.0.1' };
  resources.defer(startCrons(async (path) => app.fetch(new Request(url + path, { headers }))));
  return {
    url,
    adminToken: env.adminToken ?? '',
    adminTokenFile: 'ADMIN_TOKEN' in secrets ? join(dataDir, 'secrets', 'ADMIN_TOKEN') : null,
    data: postgres ? 'in the database of POSTGRES_URL' : `in ${dataDir}`,
    stop: () => resources.disposeAsync(),
  };
}

/** Locks the folder and starts the database in it. Returns the variables that lead to it. */
async function openEmbedded(path: string, resources: AsyncDisposableStack): Promise<Record<string, string>> {
  const dataDir = openDataDir(path);
  resources.defer(() => dataDir.release());
  const password = keepSecret(path, 'POSTGRES_PASSWORD');
  const folder = join(dataDir.path, 'postgres');
  const onLost = (message: string) => {
    process.stderr.write(`${message}\n`);
    process.exit(1);
  };
  const server = await startEmbeddedPostgres({ folder, password, onLost });
  resources.defer(() => server.stop());
  return { POSTGRES_URL: server.url, POSTGRES_URL_NON_POOLING: server.url, POSTGRES_DRIVER: 'pg' };
}

/** An address that means "every interface" is printed as one that can be called. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Gives handlers the platform's waitUntil, where they look for it on Vercel (the contract behind @vercel/functions).
 * Returns a function that waits for work that goes on after its answer, for at most half a second.
 */
function installWaitUntil(): () => Promise<void> {
  const pending = new Set<Promise<unknown>>();
  const waitUntil = (work: Promise<unknown>) => {
    const settled = work.finally(() => pending.delete(settled));
    pending.add(settled);
  };
  Reflect.set(globalThis, Symbol.for('@vercel/request-context'), { get: () => ({ waitUntil }) });
  return async () => void (await Promise.race([Promise.allSettled(pending), setTimeout(BACKGROUND_MS)]));
}
