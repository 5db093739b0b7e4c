import { LockTimeout } from '../../../ports/faults.ts';
import { sqlState } from '../connection/sql.ts';

/**
 * A CTE that bounds how long the statement waits for a row's lock, evaluated before the first row because rows are read
 * `from lock_timeout, …`.
 */
export const lockTimeout = (limit: '2s' | '5s') => `lock_timeout as materialized (
      select set_config('lock_timeout', '${limit}', true)
    )`;

/**
 * A select that locks rows, for a CTE of its own. It stands in a subquery, because Citus loses its place in rows that come
 * from a lock and a join at once.
 */
export const locked = (select: string) => `select * from (${select}) locked`;

/** lock_not_available, deadlock_detected. */
const LOCK_FAILURES: ReadonlySet<string> = new Set(['55P03', '40P01']);

export async function unlessHeld<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw LOCK_FAILURES.has(sqlState(error)) ? new LockTimeout(error) : error;
  }
}
