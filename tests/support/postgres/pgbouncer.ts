import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterDeath } from '../processes/watchdog.ts';
import { freePort, throughPort } from '../servers/ports.ts';

/**
 * Whether PgBouncer is installed (Debian's package `pgbouncer`). Without it its tests are left out on a developer's
 * machine; in CI that is an error.
 */
export function available(): boolean {
  const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0;
  if (!isInstalled && process.env.CI === 'true')
    throw new Error('pgbouncer is not installed, and CI needs it');
  return isInstalled;
}

/** PgBouncer in transaction mode in front of a server: `poolSize` connections a database, shared by all its clients. */
export async function startPgBouncer(serverUrl: string, poolSize = 4) {
  const folder = await mkdtemp(join(tmpdir(), 'ctis-pgbouncer-'));
  const port = await freePort();
  const server = new URL(serverUrl);
  const files = {
    'users.txt': `"${server.username}" "${server.password}"\n`,
    'pgbouncer.ini': [
      '[databases]',
      `* = host=${server.hostname} port=${server.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${join(folder, 'users.txt')}`,
      'pool_mode = transaction',
      `default_pool_size = ${poolSize}`,
      'max_client_conn = 200',
      'server_lifetime = 60',
    ].join('\n'),
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o644);
  }
  await chmod(folder, 0o711);
  // It refuses to run as root; the server's own user exists wherever embedded PostgreSQL ran as root.
  const user = userInfo().uid === 0 ? ['-u', 'postgres'] : [];
  const process = spawn('pgbouncer', [...user, join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const callOff = afterDeath('kill -KILL "$1"; rm -rf "$2"', String(process.pid), folder);
  let output = '';
  await new Promise<void>((resolve, reject) => {
    process.stderr.on('data', (chunk) => {
      output += chunk;
      if (output.includes('process up')) resolve();
    });
    process.once('exit', () => reject(new Error(`pgbouncer did not start:\n${output}`)));
  });
  return {
    /** The same database through PgBouncer. */
    through: (url: string) => throughPort(url, port),
    async stop() {
      callOff();
      const exit = once(process, 'exit');
      if (process.kill('SIGKILL')) await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
