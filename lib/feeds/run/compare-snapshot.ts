import { compareMembers, markMissing } from '../queries/compare-snapshot.ts';
import { endRun } from '../queries/end-run.ts';
import { type Session, timed } from './session.ts';

/** Compares the complete snapshot with what the feed had: the guard holds the run, or what is missing is counted. */
export async function compareSnapshot(session: Session): Promise<'delist' | 'held'> {
  const { run, phases } = session;
  const { db } = session.ports;
  const { isHeld, gone } = await timed(session, 'reconcile', () => compareMembers(db, run));
  if (isHeld && !run.released) {
    await session.assertLease(endRun(db, run, 'held', { phases, wouldDelist: gone }));
    return 'held';
  }
  await timed(session, 'reconcile', () => session.assertLease(markMissing(db, run)));
  return 'delist';
}
