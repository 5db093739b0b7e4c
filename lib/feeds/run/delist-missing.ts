import { LockTimeout } from '../../ports/faults.ts';
import { delistSlice } from '../queries/delist-missing.ts';
import { endRun } from '../queries/end-run.ts';
import type { ClaimedRun } from './claimed-run.ts';
import { LeaseLost, requireState, type Session, timed } from './session.ts';

/** Listings delisted in one transaction. */
const MAX_DELISTED = 2_500;
/** Times in a row that rows may be locked by another writer. */
const MAX_LOCK_TIMEOUTS = 5;

/**
 * Delists what the snapshot has missed as often as the feed allows, some at a time, each slice counted in the statement that
 * delists it; then the snapshot is applied.
 */
export async function delistMissing(session: Session): Promise<'succeeded' | 'yielded'> {
  const { ports, run, until } = session;
  while (await timed(session, 'reconcile', () => delistSome(session)))
    if (ports.clock.now() > until) return 'yielded';
  const end = { phases: session.phases, file: knownFile(run) };
  await session.assertLease(endRun(ports.db, run, 'succeeded', end));
  return 'succeeded';
}

/** Answers whether there may be more. */
async function delistSome({ ports, run }: Session): Promise<boolean> {
  for (let waited = 1; ; waited += 1)
    try {
      const isMore = await delistSlice(ports.db, run, MAX_DELISTED);
      if (isMore === null) throw new LeaseLost();
      return isMore;
    } catch (error) {
      if (!(error instanceof LockTimeout) || waited > MAX_LOCK_TIMEOUTS) throw error;
    }
}

/** What to know the file by next time; null when it is worth another look. */
function knownFile(run: ClaimedRun): ClaimedRun['lastFile'] {
  const { file, hasRetryableRejects } = requireState(run);
  return run.sha256 === null || hasRetryableRejects ? null : { sha256: run.sha256, ...file };
}
