import { Unavailable } from '../ports/faults.ts';
import type { Ports } from '../ports/ports.ts';
import { forgetRaw, listLeftRaw, sweepRuns } from './queries/feed-runs.ts';
import { removeRaw } from './raw-files.ts';

/** For housekeeping: raw files of runs that ended, and runs of long ago. */
export async function sweepFeeds({ db, objects }: Pick<Ports, 'db' | 'objects'>) {
  let removed = 0;
  try {
    for (const run of await listLeftRaw(db, 200)) {
      await removeRaw(objects, run);
      await forgetRaw(db, run);
      removed += 1;
    }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
  return { feed_files_removed: removed, feed_runs_swept: await sweepRuns(db) };
}
