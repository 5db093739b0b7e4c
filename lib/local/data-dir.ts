import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  /** Gives the folder back; repeating it does nothing. */
  release(): void;
}

/** Another process, or this one, works in the folder; `message` says what to do. */
export class DataDirTaken extends Error {
  override name = 'DataDirTaken';
}

/** The folder cannot be worked in: not writable, not a folder; `message` says what to do. */
export class DataDirUnusable extends Error {
  override name = 'DataDirUnusable';
}

const SQLITE_BUSY = 5;
const LOCK_FILE = 'lock';

/** Locks by folder. Kept here as well because a collected database handle would give its lock back. */
const locks = new Map<string, DatabaseSync>();

/** Opens the folder, creating it when needed. Throws `DataDirTaken` or `DataDirUnusable`. */
export function openDataDir(path: string): DataDir {
  const folder = resolve(path);
  const lock = usable(folder, () => {
    makeFolder(folder);
    return takeLock(folder);
  });
  locks.set(folder, lock);
  return {
    path: folder,
    release() {
      if (locks.get(folder) !== lock) return;
      locks.delete(folder);
      lock.close();
    },
  };
}

/**
 * The folder and what leads to it. Not by `recursive`: where the system makes no folders and says that the parent is
 * missing (/proc), Node tries for ever.
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
      `The data folder ${folder} is in use by another process: end it, or choose another folder with DATA_DIR=…`,
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
  if (kept === null)
    throw new Error(`${file} is empty: put its secret back; what it sealed or guards is lost without it`);
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
