import type { Principal } from '../accounts/keys/principal.ts';
import type { Session } from '../accounts/people/queries.ts';
import type { Remembered } from '../accounts/queries/remember.ts';
import type { CallCounts } from '../accounts/usage.ts';
import type { Sql } from './sql.ts';

/** Transactions of verbs. */
export interface Store {
  /**
   * Runs `work` with `db` bound to one transaction; a throw rolls back. A transaction of the bound store is the same one. `role`: how long its statements may take, by default as long as what callers write.
   */
  transaction<T>(work: (bound: StorePorts) => Promise<T>, role?: 'ingest' | 'job'): Promise<T>;
}

export interface StorePorts {
  store: Store;
  /** What queries take: the database, or the transaction that is under way. */
  db: Sql;
  /** The transaction is tried again on `WriteConflict`: listings are not locked beforehand. */
  isOptimistic?: boolean;
  /** Who has which key, and who is signed in, remembered for seconds by this process: forget it after whatever changes that. */
  principals: Remembered<Principal>;
  sessions: Remembered<Session>;
  callCounts: CallCounts;
}
