import { LockTimeout } from '../../../ports/faults.ts';
import { sqlState } from '../connection/sql.ts';

/** lock_not_available, deadlock_detected. */
const LOCK_FAILURES: ReadonlySet<string> = new Set(['55P03', '40P01']);

export async function unlessHeld<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw LOCK_FAILURES.has(sqlState(error)) ? new LockTimeout(error) : error;
  }
}
