import { LockTimeout } from '../../ports/faults.ts';
import { isHeld } from '../mapping/feed-guard.ts';
import { LeaseLost, RunYielded, type Session, timed } from './feed-session.ts';

/** Listings delisted in one transaction. */
const MAX_DELISTED = 2_500;
/** Times in a row that rows may be locked by another writer. */
const MAX_LOCK_TIMEOUTS = 5;

/** Compares the complete snapshot with what the feed had, and holds the run, or notes what is missing. */
export async function compareFeed(session: Session): Promise<'held' | 'compared'> {
  const { ports, run, phases } = session;
  const difference = await timed(session, 'reconcile', () => ports.feedRuns.compare(run));
  if (!run.released && isHeld(difference)) {
    await session.assertLease(ports.feedRuns.awaitReview(run, { phases }, difference.gone));
    return 'held';
  }
  await timed(session, 'reconcile', () => session.assertLease(ports.feedRuns.markMissing(run)));
  return 'compared';
}

/** Delists what the snapshot misses, some at a time; each slice is counted in the statement that delists it. */
export async function delistMissing({ ports, run, until }: Session): Promise<void> {
  for (let left = true, waited = 0; left; ) {
    try {
      const slice = await ports.feedRuns.delist(run, MAX_DELISTED);
      if (slice === null) throw new LeaseLost();
      left = slice.left;
      waited = 0;
    } catch (error) {
      waited += 1;
      if (!(error instanceof LockTimeout) || waited > MAX_LOCK_TIMEOUTS) throw error;
    }
    if (left && ports.clock.now() > until) throw new RunYielded('the rest is delisted next time');
  }
}
