// Fails without it: embedded.test.ts, "the process answers while the database is busy".
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { freeBytes } from '../../system/disk-space.ts';

/** The thread that PGlite blocks while it works. Messages are answered in the order in which they come. */

export interface WorkerOptions {
  dataDir: string | 'memory';
  /** Below so much free space nothing is written any more: a full disk would break the database in mid-write. */
  minFreeBytes: number;
  /** Between two looks at what has to be kept up. */
  upkeepMs: number;
}

export type ToWorker =
  | { kind: 'open'; session: number }
  | { kind: 'input'; session: number; bytes: Uint8Array }
  | { kind: 'close' };

export type FromWorker = { kind: 'ready' } | { kind: 'output'; session: number; bytes: Uint8Array };

/** AuthenticationOk, then ReadyForQuery outside of a transaction. */
const GREETING = Uint8Array.of(0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49);

const { dataDir, minFreeBytes, upkeepMs } = workerData as WorkerOptions;
const db = await PGlite.create({
  dataDir: dataDir === 'memory' ? 'memory://' : dataDir,
  extensions: { btree_gin },
});

const DISK_CHECK_MS = 1_000;
/** The table with most dead rows, of those where they are a fifth: what PostgreSQL's autovacuum would begin with. */
const BLOATED = `
  select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
  where n_dead_tup > 10000 + 0.2 * n_live_tup order by n_dead_tup desc limit 1`;
/** ReadyForQuery's status outside of a transaction. */
const IDLE = 'I'.charCodeAt(0);

const post = (message: FromWorker, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer);

let session = 0;
let isReadOnly = false;
let isIdle = true;
let diskCheckedAt = 0;
let keptUpAt = Date.now();

/** Between transactions: nothing here works in the background. */
async function maintain(): Promise<void> {
  const now = Date.now();
  if (dataDir !== 'memory' && now - diskCheckedAt >= DISK_CHECK_MS) {
    diskCheckedAt = now;
    await checkDisk(dataDir);
  }
  if (now - keptUpAt < upkeepMs) return;
  keptUpAt = now;
  // Plans made while tables were small would stay for ever; making them again costs all together some 100 ms.
  await db.exec('discard plans');
  if (!isReadOnly) await reclaimSpace();
}

/** Without it each rewrite of the same rows would take new space, here and in the log. */
async function reclaimSpace(): Promise<void> {
  const [found] = await db.exec(BLOATED);
  const name = found?.rows[0]?.name;
  if (name === undefined) return;
  await db.exec(`vacuum (analyze) ${name}`);
  await db.exec('checkpoint');
}

async function checkDisk(folder: string): Promise<void> {
  const isFull = freeBytes(folder) < minFreeBytes;
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
