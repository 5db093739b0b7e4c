import { Unavailable } from '../outside/faults.ts';
import type { Objects } from '../outside/files.ts';
import type { Ports } from '../outside/ports.ts';
import type { RawFile } from './feed.ts';
import type { FeedManifest } from './feed-file.ts';
import { forgetRaw, listLeftRaw, sweepRuns } from './queries/feed-runs.ts';

/**
 * What the object store keeps of a run until it has ended: the file as it was fetched, and its parts. Named by its bytes: a
 * worker that wakes up late must not put another file in the place of the one that is being read.
 */
export const toRawKey = ({ accountId, runId, sha256 }: RawFile): string =>
  `feeds/${accountId}/${runId}/${sha256}`;

export const toPartKey = (run: RawFile, no: number): string => `${toRawKey(run)}.records/${no}.ndjson.gz`;
const toManifestKey = (run: RawFile): string => `${toRawKey(run)}.records/manifest.json`;

/** The parts that are kept, or are about to be. */
export interface KeptManifest extends FeedManifest {
  isComplete: boolean;
}

/** Null before any part is kept. */
export async function readManifest(objects: Objects, run: RawFile): Promise<KeptManifest | null> {
  const bytes = await objects.get(toManifestKey(run));
  // What `keepManifest` wrote.
  return bytes && (JSON.parse(Buffer.from(bytes).toString()) as KeptManifest);
}

export async function keepManifest(objects: Objects, run: RawFile, manifest: KeptManifest): Promise<void> {
  await objects.put(toManifestKey(run), Buffer.from(JSON.stringify(manifest)), 'application/json');
}

export async function removeRaw(objects: Objects, run: RawFile): Promise<void> {
  const manifest = await readManifest(objects, run);
  for (const { no } of manifest?.parts ?? []) await objects.remove(toPartKey(run, no));
  await objects.remove(toManifestKey(run));
  await objects.remove(toRawKey(run));
}

type Stores = Pick<Ports, 'db' | 'objects'>;

/** Best effort: housekeeping removes what is left. Returns how many were removed. */
export async function dropRaw({ db, objects }: Stores, runs: readonly RawFile[]): Promise<number> {
  let removed = 0;
  try {
    for (const run of runs) {
      await removeRaw(objects, run);
      await forgetRaw(db, run);
      removed += 1;
    }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
  return removed;
}

/** For housekeeping: raw files of runs that ended, and runs of long ago. */
export async function sweepFeeds(stores: Stores) {
  const removed = await dropRaw(stores, await listLeftRaw(stores.db, 200));
  return { feed_files_removed: removed, feed_runs_swept: await sweepRuns(stores.db) };
}
