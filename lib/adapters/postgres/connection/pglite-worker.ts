// Fails without it: embedded.test.ts, "health answers while the database is busy".
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { cube } from '@electric-sql/pglite/contrib/cube';
import { earthdistance } from '@electric-sql/pglite/contrib/earthdistance';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

/** The thread that PGlite blocks while it works. Messages are answered in the order in which they come. */

export interface WorkerOptions {
  dataDir: string | 'memory';
}

export type ToWorker =
  | { kind: 'open'; session: number }
  | { kind: 'input'; session: number; bytes: Uint8Array }
  | { kind: 'close' };

export type FromWorker = { kind: 'ready' } | { kind: 'output'; session: number; bytes: Uint8Array };

/** AuthenticationOk, then ReadyForQuery outside of a transaction. */
const GREETING = Uint8Array.of(0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49);

const { dataDir } = workerData as WorkerOptions;
const db = await PGlite.create({
  dataDir: dataDir === 'memory' ? 'memory://' : dataDir,
  extensions: { cube, earthdistance, pg_trgm },
});

const post = (message: FromWorker, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer);

let session = 0;

async function handle(message: ToWorker): Promise<void> {
  if (message.kind === 'close') {
    await db.close();
    process.exit(0);
  }
  if (message.kind === 'open') {
    session = message.session;
    await db.exec('rollback');
    await db.exec('discard all');
    post({ kind: 'output', session, bytes: GREETING });
  } else if (message.session === session) {
    const bytes = (await db.execProtocolRaw(message.bytes)).slice();
    post({ kind: 'output', session, bytes }, [bytes.buffer]);
  }
}

let last = Promise.resolve();
parentPort?.on('message', (message: ToWorker) => {
  last = last.then(() => handle(message));
});
post({ kind: 'ready' });
