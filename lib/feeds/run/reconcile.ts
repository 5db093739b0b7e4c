import { FeedFault, toFeedError } from '../feed-faults.ts';
import { type Comparison, compareMembers, delistSlice, markMissing } from '../queries/reconcile.ts';
import type { Step } from './claimed-run.ts';

/** Why the guard holds a run; null: it does not. */
function findHoldReason({ gone: missing, available, hasTrucks }: Comparison) {
  if (!hasTrucks) return new FeedFault('no_trucks', 'No row of the file has a readable VIN.');
  if (missing <= 20 || 10 * missing <= 3 * available) return null;
  return new FeedFault(
    'many_missing',
    `The file lacks ${missing} of the feed’s ${available} available trucks: more than 20 and more than 30 %.`,
  );
}

/** Compares the complete snapshot with what the feed had: the guard holds the run, or misses are counted. */
export const compareSnapshot: Step = async ({ ports: { db }, run }) => {
  const comparison = await compareMembers(db, run);
  const reason = run.released ? null : findHoldReason(comparison);
  if (reason !== null) return { status: 'held', wouldDelist: comparison.gone, error: toFeedError(reason) };
  await markMissing(db, run);
  return 'delist';
};

/** Listings delisted in one transaction. */
const SLICE = 2_500;

/**
 * Delists what the snapshot has missed as often as the feed allows, a slice at a time, each counted in the statement that
 * delists it; then the snapshot is applied.
 */
export const delistMissing: Step = async ({ ports, run, until }) => {
  while (await delistSlice(ports.db, run, SLICE)) if (ports.clock.now() > until) return { status: 'yielded' };
  return { status: 'succeeded' };
};
