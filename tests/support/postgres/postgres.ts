import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { startCluster } from '../../../scripts/bench/postgres.ts';
import { afterDeath } from '../processes/watchdog.ts';
import { freePort } from '../servers/ports.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the run's PostgreSQL server. */
    postgresUrl: string;
  }
}

/**
 * A server that can fail, in a temporary folder, without the guards against a power cut, which a test does not survive
 * either. Its time zone is far from UTC on purpose: a production server may have any, and no statement may depend on it.
 */
export async function startPostgres(settings: readonly string[] = []) {
  const fast = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  const more = ['timezone=Asia/Kolkata', 'max_connections=200', ...settings];
  const cluster = await startCluster('ctis-postgres-', [...fast, ...more], await freePort());
  const callOff = afterDeath(
    'kill -INT "$(head -n 1 "$1/data/postmaster.pid")"; sleep 2; rm -rf "$1"',
    cluster.folder,
  );
  const signalAll = (signal: NodeJS.Signals) => {
    const { pid } = cluster;
    process.kill(pid, signal);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    for (const child of children) if (isRunning(Number(child))) process.kill(Number(child), signal);
  };
  return {
    ...serverAt(cluster.url),
    port: Number(new URL(cluster.url).port),
    /** The server and all its sessions stand still: connections are taken, nothing is answered. */
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    /** Ends every session at once, without a word; what was committed comes back with `start`. */
    async crash() {
      const { pid } = cluster;
      process.kill(pid, 'SIGQUIT');
      while (isRunning(pid)) await sleep(10);
    },
    start: cluster.restart,
    stop() {
      callOff();
      return cluster.stop();
    },
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
export const usePostgres = () => serverAt(inject('postgresUrl'));

/** Runs one statement on a connection of its own; returns its rows. */
export async function runAt(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** `url`: the superuser's, of the database `postgres`. */
function serverAt(url: string) {
  return {
    url,
    /** A new, empty database, or a copy of `template`, which nobody may be connected to. Returns its URL. */
    async createDatabase(template = 'template1', name = `test_${crypto.randomUUID().replaceAll('-', '')}`) {
      await runAt(url, `create database ${name} template ${template}`);
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
    async dropDatabase(database: string) {
      await runAt(url, `drop database if exists ${new URL(database).pathname.slice(1)} with (force)`);
    },
  };
}
