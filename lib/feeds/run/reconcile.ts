import { compareMembers, delistSlice, markMissing } from '../queries/reconcile.ts';
import type { Step } from './claimed-run.ts';

/** Compares the complete snapshot with what the feed had: the guard holds the run, or what is missing is counted. */
export const compareSnapshot: Step = async ({ ports: { db }, run }) => {
  const { isHeld, gone } = await compareMembers(db, run);
  if (isHeld && !run.released) return { status: 'held', wouldDelist: gone };
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
  const { file, hasRetryableRejects } = run.state;
  // What the file is known by next time, unless it is worth another look.
  return { status: 'succeeded', file: hasRetryableRejects ? null : { sha256: run.sha256, ...file } };
};
