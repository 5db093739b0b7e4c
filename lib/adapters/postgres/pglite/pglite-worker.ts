// Fails without it: embedded.test.ts, "the process answers while the database is busy".
import { statfsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';

/** The thread that PGlite blocks while it works. Messages are answered in the order in which they come. */

export interface WorkerOptions {
  dataDir: string | 'memory';
  /** Below so much free space nothing is written any more: a full disk would break the database in mid-write. */
  minFreeBytes: number;
}

export type ToWorker =
  | { kind: 'open'; session: number }
  | { kind: 'input'; session: number; bytes: Uint8Array }
  | { kind: 'close' };

export type FromWorker = { kind: 'ready' } | { kind: 'output'; session: number; bytes: Uint8Array };

/** AuthenticationOk, then ReadyForQuery outside of a transaction. */
const GREETING = Uint8Array.of(0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49);

const { dataDir, minFreeBytes } = workerData as WorkerOptions;
const db = await PGlite.create({
  dataDir: dataDir === 'memory' ? 'memory://' : dataDir,
  extensions: { btree_gin },
});

const DISK_CHECK_MS = 1_000;
/** Making plans again costs all statements together some 100 ms. */
const PLANS_MS = 10_000;
/** ReadyForQuery's status outside of a transaction. */
const IDLE = 'I'.charCodeAt(0);

const post = (message: FromWorker, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer);

let session = 0;
let isReadOnly = false;
let isIdle = true;
let diskCheckedAt = 0;
let plannedAt = Date.now();

/**
 * Between transactions. Nothing here analyses tables in the background, so that plans made while they were small would
 * stay for ever.
 */
async function maintain(): Promise<void> {
  const now = Date.now();
  if (now - plannedAt >= PLANS_MS) {
    plannedAt = now;
    await db.exec('discard plans');
  }
  if (dataDir === 'memory' || now - diskCheckedAt < DISK_CHECK_MS) return;
  diskCheckedAt = now;
  await checkDisk(dataDir);
}

async function checkDisk(folder: string): Promise<void> {
  const { bavail, bsize } = statfsSync(folder);
  const isFull = bavail * bsize < minFreeBytes;
  if (isFull !== isReadOnly) await db.exec(`set default_transaction_read_only = ${isFull ? 'on' : 'off'}`);
  isReadOnly = isFull;
}

async function handle(message: ToWorker): Promise<void> {
  if (message.kind === 'close') {
    await db.close();
    process.exit(0);
  }
  if (message.kind === 'open') {
    session = message.session;
    await db.exec('rollback');
    await db.exec('discard all');
    isReadOnly = false;
    isIdle = true;
    diskCheckedAt = 0;
    post({ kind: 'output', session, bytes: GREETING });
  } else if (message.session === session) {
    if (isIdle) await maintain();
    const bytes = (await db.execProtocolRaw(message.bytes)).slice();
    isIdle = bytes.at(-1) === IDLE;
    post({ kind: 'output', session, bytes }, [bytes.buffer]);
  }
}

let last = Promise.resolve();
parentPort?.on('message', (message: ToWorker) => {
  last = last.then(() => handle(message));
});
post({ kind: 'ready' });
