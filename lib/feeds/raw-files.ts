import { Unavailable } from '../outside/faults.ts';
import type { Objects } from '../outside/files.ts';
import type { Ports } from '../ports.ts';
import type { RawFile } from './feed.ts';
import { FeedFault } from './feed-faults.ts';
import type { FeedManifest } from './feed-file.ts';
import { forgetRaw, listLeftRaw, sweepRuns } from './queries/feed-runs.ts';

/**
 * What the object store keeps of a run until it has ended: the file as it was fetched, and its parts. Named by its bytes: a
 * worker that wakes up late must not put another file in the place of the one that is being read.
 */
export const toRawKey = ({ accountId, runId, sha256 }: RawFile) => `feeds/${accountId}/${runId}/${sha256}`;

export const toPartKey = (run: RawFile, no: number) => `${toRawKey(run)}.records/${no}.ndjson.gz`;
const toManifestKey = (run: RawFile) => `${toRawKey(run)}.records/manifest.json`;

/** The parts that are kept, or are about to be. */
export interface KeptManifest extends FeedManifest {
  isComplete: boolean;
}

/** Null before any part is kept. */
export async function readManifest(objects: Objects, run: RawFile) {
  const bytes = await objects.get(toManifestKey(run));
  // What `keepManifest` wrote.
  return bytes && (JSON.parse(Buffer.from(bytes).toString()) as KeptManifest);
}

export const keepManifest = (objects: Objects, run: RawFile, manifest: KeptManifest) =>
  objects.put(toManifestKey(run), Buffer.from(JSON.stringify(manifest)), 'application/json');

/** What a run that is under way has put there. Throws `FeedFault`. */
export async function openKept(objects: Objects, key: string) {
  const bytes = await objects.open(key);
  if (bytes === null) throw new FeedFault('file_lost', 'The object store has lost the file.');
  return bytes;
}

type Stores = Pick<Ports, 'db' | 'objects'>;

/** Throws `Unavailable`; what is left then is removed another time. */
export async function removeRaw({ db, objects }: Stores, run: RawFile) {
  const manifest = await readManifest(objects, run);
  for (const { no } of manifest?.parts ?? []) await objects.remove(toPartKey(run, no));
  await objects.remove(toManifestKey(run));
  await objects.remove(toRawKey(run));
  await forgetRaw(db, run);
}

/** Best effort: housekeeping removes what is left. Returns how many were removed. */
export async function dropRaw(stores: Stores, runs: readonly RawFile[]) {
  for (const [count, run] of runs.entries())
    try {
      await removeRaw(stores, run);
    } catch (error) {
      if (error instanceof Unavailable) return count;
      throw error;
    }
  return runs.length;
}

/** For housekeeping: raw files of runs that ended, and runs of long ago. */
export async function sweepFeeds(stores: Stores) {
  const filesRemoved = await dropRaw(stores, await listLeftRaw(stores.db));
  return { feed_files_removed: filesRemoved, feed_runs_swept: await sweepRuns(stores.db) };
}
