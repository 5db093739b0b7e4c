import { compareMembers, markMissing } from '../queries/compare-snapshot.ts';
import { endRun } from '../queries/end-run.ts';
import { isHeld } from './feed-guard.ts';
import { type Session, timed } from './session.ts';

/** Compares the complete snapshot with what the feed had, and holds the run, or counts what is missing. */
export async function compareSnapshot(session: Session): Promise<'delist' | 'held'> {
  const { run, phases } = session;
  const { db } = session.ports;
  const difference = await timed(session, 'reconcile', () => compareMembers(db, run));
  if (!run.released && isHeld(difference)) {
    await session.assertLease(endRun(db, run, 'held', { phases, wouldDelist: difference.gone }));
    return 'held';
  }
  await timed(session, 'reconcile', () => session.assertLease(markMissing(db, run)));
  return 'delist';
}
