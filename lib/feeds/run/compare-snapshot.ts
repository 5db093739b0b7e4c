import { isHeld } from './feed-guard.ts';
import { type Session, timed } from './session.ts';

/** Compares the complete snapshot with what the feed had, and holds the run, or counts what is missing. */
export async function compareSnapshot(session: Session): Promise<'delist' | 'held'> {
  const { feedRuns } = session.ports;
  const { run, phases } = session;
  const difference = await timed(session, 'reconcile', () => feedRuns.compare(run));
  if (!run.released && isHeld(difference)) {
    await session.assertLease(feedRuns.awaitReview(run, { phases }, difference.gone));
    return 'held';
  }
  await timed(session, 'reconcile', () => session.assertLease(feedRuns.markMissing(run)));
  return 'delist';
}
