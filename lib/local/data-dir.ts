import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

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
  /** A secret kept in this folder, made on first use. */
  secret(name: string, make: () => string): string;
  /** Calls `onLost` once when the folder is gone, or another one stands in its place. */
  watch(onLost: (message: string) => void): void;
  /** Gives the folder back; repeating it does nothing. */
  release(): void;
}

/** Another process, or this one, works in the folder; `message` says who and what to do. */
export class DataDirTaken extends Error {
  override name = 'DataDirTaken';
}

/** The folder cannot be worked in: not writable, not a folder; `message` says what to do. */
export class DataDirUnusable extends Error {
  override name = 'DataDirUnusable';
}

/** Identifies a folder by its device and number; null when there is none. */
async function identify(folder: string): Promise<string | null> {
  return stat(folder).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => null,
  );
}

const WATCH_INTERVAL_MS = 1_000;
const SQLITE_BUSY = 5;
const LOCK_FILE = 'lock';
const OWNER_FILE = 'owner.json';

/** Locks by folder. Kept here as well because a collected database handle would give its lock back. */
const locks = new Map<string, DatabaseSync>();

/** Opens the folder, creating it when needed. Throws `DataDirTaken` or `DataDirUnusable`. */
export async function openDataDir(path: string): Promise<DataDir> {
  const folder = resolve(path);
  const lock = usable(folder, () => {
    makeFolder(folder);
    return takeLock(folder);
  });
  locks.set(folder, lock);
  const identity = await identify(folder);
  let watching: NodeJS.Timeout | undefined;
  writeFileSync(
    join(folder, OWNER_FILE),
    JSON.stringify({ pid: process.pid, since: new Date().toISOString() }),
  );
  return {
    path: folder,
    secret: (name, make) => keepSecret(folder, name, make),
    watch(onLost) {
      clearInterval(watching);
      watching = setInterval(async () => {
        if ((await identify(folder)) === identity) return;
        clearInterval(watching);
        onLost(`The data folder ${folder} is gone or was replaced: what is written now would be lost.`);
      }, WATCH_INTERVAL_MS);
      watching.unref();
    },
    release() {
      clearInterval(watching);
      if (locks.get(folder) !== lock) return;
      locks.delete(folder);
      rmSync(join(folder, OWNER_FILE), { force: true });
      lock.close();
    },
  };
}

/**
 * The folder and what leads to it. Not by `recursive`: where the system makes no folders and says that the parent is
 * missing (/proc), Node would try for ever.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function takeLock(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, LOCK_FILE));
  try {
    // Rollback journals would be files of their own; nothing is ever written here.
    lock.exec('pragma journal_mode = memory; begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if (!isSqliteError(error) || error.errcode !== SQLITE_BUSY) throw error;
    throw new DataDirTaken(
      `The data folder ${folder} is in use by ${readOwner(folder)}: end that process, or choose another folder with DATA_DIR=…`,
    );
  }
}

/** Runs `work` in the folder; a fault of the file system becomes a message with a remedy. */
function usable<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') throw cause;
    throw new DataDirUnusable(
      `The data folder ${folder} cannot be used (${cause.message}): make it writable, or choose another folder with DATA_DIR=…`,
      { cause },
    );
  }
}

function isSqliteError(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
}

/** For the message only: between taking the lock and writing this file the owner is unnamed. */
function readOwner(folder: string): string {
  try {
    const { pid, since }: { pid?: unknown; since?: unknown } = JSON.parse(
      readFileSync(join(folder, OWNER_FILE), 'utf8'),
    );
    return pid === process.pid ? 'this process already' : `process ${pid} (since ${since})`;
  } catch {
    return 'another process';
  }
}

/**
 * Reads the secret `name` below `folder`, or makes it: a file of its own that only the owner may read. Several
 * processes at once agree on one value: the file appears under its name complete, and only once. Throws
 * `DataDirUnusable`.
 */
export function keepSecret(folder: string, name: string, make: () => string): string {
  return usable(resolve(folder), () => readOrMake(folder, name, make));
}

function readOrMake(folder: string, name: string, make: () => string): string {
  const secrets = join(resolve(folder), 'secrets');
  const file = join(secrets, name);
  const known = readSecret(file);
  if (known !== null) return known;
  makeFolder(secrets);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${make()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const kept = readSecret(file);
  if (kept === null) throw new Error(`${file} is empty: delete it, a new secret is made at the next start`);
  return kept;
}

function readSecret(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
