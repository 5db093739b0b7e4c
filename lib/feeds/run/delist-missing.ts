import { delistSlice } from '../queries/delist-missing.ts';
import { endRun } from '../queries/end-run.ts';
import type { ClaimedRun } from './claimed-run.ts';
import { LeaseLost, requireState, type Session, timed } from './session.ts';

/** Listings delisted in one transaction. */
const SLICE = 2_500;

/**
 * Delists what the snapshot has missed as often as the feed allows, a slice at a time, each counted in the statement that
 * delists it; then the snapshot is applied.
 */
export async function delistMissing(session: Session): Promise<'succeeded' | 'yielded'> {
  const { ports, run, until, phases } = session;
  for (;;) {
    const isMore = await timed(session, 'reconcile', () => delistSlice(ports.db, run, SLICE));
    if (isMore === null) throw new LeaseLost();
    if (!isMore) break;
    if (ports.clock.now() > until) return 'yielded';
  }
  await session.assertLease(endRun(ports.db, run, 'succeeded', { phases, file: toLastFile(run) }));
  return 'succeeded';
}

/** What to know the file by next time; null when it is worth another look. */
function toLastFile(run: ClaimedRun): ClaimedRun['lastFile'] {
  const { file, hasRetryableRejects } = requireState(run);
  return run.sha256 === null || hasRetryableRejects ? null : { sha256: run.sha256, ...file };
}
