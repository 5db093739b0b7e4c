import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readCode, StartFault } from './start-fault.ts';

/**
 * The folder of the local defaults, held by one process at a time: two servers on one database, or two processes that
 * sweep one folder of photos, would lose what was acknowledged.
 *
 * The lock is the operating system's, taken through SQLite on an empty file: the kernel gives it to exactly one
 * process and takes it back the moment that process is gone, however it died. So there is no stale lock to detect
 * and no takeover to race for, and it holds between containers that share a folder but not their process ids.
 */
export interface DataDir {
  /** Absolute path. */
  path: string;
  /** Gives the folder back; repeating it does nothing. */
  release(): void;
}

const SQLITE_BUSY = 5;

/** A database handle that is garbage collected would release its lock. */
const locks = new Set<DatabaseSync>();

/** Opens the folder, creating it when needed. Throws `StartFault`. */
export function openDataDir(path: string): DataDir {
  const folder = resolve(path);
  const lock = usable(folder, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return takeLock(folder);
  });
  locks.add(lock);
  return {
    path: folder,
    release() {
      if (locks.delete(lock)) lock.close();
    },
  };
}

function takeLock(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, 'lock'));
  try {
    // Rollback journals would be files of their own; nothing is ever written here.
    lock.exec('pragma journal_mode = memory; begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    const isTaken = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    if (!isTaken) throw error;
    throw new StartFault(
      `The data folder ${folder} is in use by another process: end it, or choose another folder with DATA_DIR=…`,
    );
  }
}

/** Runs `work` in the folder; a fault of the file system becomes a message with a remedy. */
function usable<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof Error) || readCode(cause) === undefined) throw cause;
    throw new StartFault(
      `The data folder ${folder} cannot be used (${cause.message}): make it writable, or choose another folder with DATA_DIR=…`,
      { cause },
    );
  }
}

/** Secrets that the local service makes if the environment does not set them. */
const GENERATED = ['ADMIN_TOKEN', 'CRON_SECRET', 'FEED_SECRET_KEY'];

/** The secrets missing from `env`, from the data folder or newly made into it. */
export function localSecrets(env: NodeJS.ProcessEnv, dataDir: string): Record<string, string> {
  const missing = GENERATED.filter((name) => !env[name]?.trim());
  return Object.fromEntries(missing.map((name) => [name, keepSecret(dataDir, name)]));
}

/**
 * Reads the secret `name` below `folder`, or makes it: a file of its own that only the owner may read. Several
 * processes at once agree on one value: the file appears under its name complete, and only once. Throws `StartFault`.
 */
export function keepSecret(path: string, name: string): string {
  const folder = resolve(path);
  return usable(folder, () => {
    const file = join(folder, 'secrets', name);
    mkdirSync(join(folder, 'secrets'), { recursive: true, mode: 0o700 });
    if (!existsSync(file)) makeSecret(file);
    const secret = readFileSync(file, 'utf8').trim();
    if (secret !== '') return secret;
    throw new Error(`${file} is empty: put its secret back; what it sealed or guards is lost without it`);
  });
}

function makeSecret(file: string): void {
  const secret = randomBytes(32).toString('base64url');
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (readCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
