import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort, listenHttp } from '../servers/ports.ts';
import { restBridge } from './redis-bridge.ts';

const TOKEN = 'a-token-of-the-tests';

export type TestRedis = Awaited<ReturnType<typeof startRedis>>;

/** One connection, opened at the first command and again after it broke. */
const connectTo = (port: number) =>
  new Redis(port, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => 25 }).on(
    'error',
    () => {},
  );

/** Whether redis-server is installed; with CI=true a missing one is an error, never a skipped suite. */
export function redisAvailable(): boolean {
  const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
  if (!isInstalled && process.env.CI === 'true')
    throw new Error(
      'redis-server is missing (Debian: apt-get install redis-server); CI must not skip its tests',
    );
  return isInstalled;
}

/** Starts a real redis-server of its own behind an Upstash REST bridge, both on free loopback ports. */
export async function startRedis() {
  const folder = await mkdtemp(join(tmpdir(), 'ctis-redis-'));
  const started = await startServer(folder);
  const { port } = started;
  let { child } = started;
  const client = connectTo(port);
  const bridge = restBridge(client, TOKEN);
  const rest = await listenHttp(bridge.server);

  async function kill(): Promise<void> {
    await Promise.all([rest.close(), end(child)]);
  }

  return {
    /** Where a genuine Upstash client finds it. */
    url: `http://${rest.host}`,
    token: TOKEN,
    prefix: 'ctis',
    /** Redis' own port, on loopback. */
    port,
    /** HTTP requests the bridge has received. */
    requests: bridge.requests,
    /** One command by Redis' own protocol; an error reply throws. */
    command: (verb: string, ...args: string[]) => client.call(verb, ...args),
    /** Empties the database and the script cache. */
    flush: async () => {
      await client.flushall();
      await client.script('FLUSH');
    },
    /** Redis hangs: connections are taken, nothing is answered. */
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    /** Redis and its bridge are gone: connections are refused. */
    kill,
    /** Back after `kill`, empty, at the same addresses. */
    restart: async (): Promise<void> => {
      child = await launch(folder, port);
      await listenHttp(bridge.server, rest.port);
    },
    stop: async () => {
      await kill();
      client.disconnect();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A free port may be taken by someone else before Redis binds it. */
async function startServer(folder: string): Promise<{ child: ChildProcess; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      return { child: await launch(folder, port), port };
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

async function launch(folder: string, port: number): Promise<ChildProcess> {
  const settings = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no', daemonize: 'no' };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const orphaned = () => void child.kill('SIGKILL');
  process.once('exit', orphaned);
  child.once('exit', () => process.off('exit', orphaned));
  const client = connectTo(port);
  try {
    for (let tries = 0; tries < 200 && child.exitCode === null; tries++) {
      const pong = await client.ping().catch(() => null);
      if (pong === 'PONG' && child.exitCode === null) return child;
      await sleep(25);
    }
    throw new Error(`redis-server did not start on port ${port}`);
  } catch (error) {
    await end(child);
    throw error;
  } finally {
    client.disconnect();
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
