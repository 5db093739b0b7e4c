import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../lib/local/postgres/embedded-postgres.ts';

export interface BenchPostgres {
  url: string;
  stop(): Promise<void>;
}

/** With PostgreSQL's own settings: what it acknowledges is on disk. */
export const startPostgres = (): Promise<BenchPostgres> =>
  startCluster('ctis-bench-', ['shared_buffers=128MB', 'max_connections=100', 'max_wal_size=1GB']);

export interface Cluster extends EmbeddedPostgres {
  folder: string;
  /** Starts it again after a crash. */
  restart(): Promise<void>;
}

/** A real PostgreSQL on loopback in a temporary folder; `port`: default any free one. */
export async function startCluster(
  prefix: string,
  settings: readonly string[] = [],
  port?: number,
): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  const options = { folder: join(folder, 'data'), password: 'local', settings, ...(port && { port }) };
  let server = await startEmbeddedPostgres(options);
  const { url } = server;
  return {
    url,
    folder,
    get pid() {
      return server.pid;
    },
    async restart() {
      server = await startEmbeddedPostgres({ ...options, port: Number(new URL(url).port) });
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
