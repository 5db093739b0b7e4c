import { LockTimeout } from '../../../ports/faults.ts';
import { LeaseLost, RunYielded, type Session } from './feed-session.ts';

/** Listings delisted in one transaction. */
const MAX_DELISTED = 2_500;
/** Times in a row that rows may be locked by another writer. */
const MAX_LOCK_TIMEOUTS = 5;

/** Delists what the snapshot misses, some at a time; each slice is counted in the transaction that delists it. */
export async function reconcileFeed({ ports, run, until }: Session): Promise<void> {
  for (let left = true, waited = 0; left; ) {
    try {
      const slice = await ports.feedRuns.delist(run, run.feed.misses_before_delist, MAX_DELISTED);
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
