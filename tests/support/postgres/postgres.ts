import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { type Cluster, startCluster } from '../../../scripts/bench/postgres.ts';
import { afterDeath } from '../processes/watchdog.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the run's PostgreSQL server. */
    postgresUrl: string;
  }
}

/** A real PostgreSQL server on loopback. */
export interface PostgresServer {
  /** The superuser's URL of the database `postgres`. */
  url: string;
  /** A new, empty database, or a copy of `template`, which nobody may be connected to. Returns its URL. */
  createDatabase(template?: string, name?: string): Promise<string>;
  dropDatabase(url: string): Promise<void>;
}

/** A server that can fail. */
export interface MortalPostgres extends PostgresServer {
  port: number;
  stop(): Promise<void>;
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
  const cluster = await startCluster('ctis-postgres-', [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'timezone=Asia/Kolkata',
    'max_connections=200',
    ...settings,
  ]);
  const callOff = afterDeath(
    'kill -INT "$(head -n 1 "$1/data/postmaster.pid")"; sleep 2; rm -rf "$1"',
    cluster.folder,
  );
  return {
    ...serverAt(cluster.url),
    port: Number(new URL(cluster.url).port),
    ...failures(cluster),
    stop() {
      callOff();
      return cluster.stop();
    },
  };
}

function failures(cluster: Cluster): Pick<MortalPostgres, 'pause' | 'resume' | 'crash' | 'start'> {
  const signalAll = (signal: NodeJS.Signals) => {
    const { pid } = cluster;
    process.kill(pid, signal);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    for (const child of children) if (isRunning(Number(child))) process.kill(Number(child), signal);
  };
  return {
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    async crash() {
      const { pid } = cluster;
      process.kill(pid, 'SIGQUIT');
      while (isRunning(pid)) await sleep(10);
    },
    start: () => cluster.restart(),
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The run's server. */
export async function usePostgres(): Promise<PostgresServer> {
  return serverAt(inject('postgresUrl'));
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
  });
  return () => database;
}

function serverAt(url: string): PostgresServer {
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
    async createDatabase(template, name = `test_${crypto.randomUUID().replaceAll('-', '')}`) {
      await asAdmin(`create database ${name}${template === undefined ? '' : ` template ${template}`}`);
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
    async dropDatabase(database) {
      await asAdmin(`drop database if exists ${new URL(database).pathname.slice(1)} with (force)`);
    },
  };
}
