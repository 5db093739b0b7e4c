import type { Objects } from '../../outside/files.ts';
import type { RawFile } from '../feed.ts';
import { FeedFault } from '../feed-faults.ts';
import { type KeptManifest, keepManifest, readManifest, toPartKey, toRawKey } from '../raw-files.ts';
import type { Session } from './session.ts';

/** For all of the file. */
const READ_TIMEOUT_MS = 200_000;

/** Where the parts of a run are: on this worker's disk when the object store has not taken the file. */
export async function locateParts(session: Session): Promise<{ objects: Objects; raw: RawFile }> {
  const { ports, run } = session;
  return {
    objects: run.raw ? ports.objects : (await session.temp()).objects,
    raw: { ...run, sha256: run.sha256 ?? '' },
  };
}

/** Reads the file once, from start to end, into numbered parts, unless an earlier worker has. */
export async function splitFile(session: Session): Promise<KeptManifest | 'yielded'> {
  const { ports, run, until } = session;
  const { objects, raw } = await locateParts(session);
  const kept = await readManifest(objects, raw);
  if (kept?.isComplete) return kept;
  if (!session.hasLocalFile) await restoreFile(session, raw);
  else if (run.raw && until - ports.clock.now() < READ_TIMEOUT_MS) return 'yielded';
  const { path } = await session.temp();
  const { parts, plan } = await ports.feedFiles.open(path, run.feed, READ_TIMEOUT_MS);
  const manifest: KeptManifest = { plan, parts: [], isComplete: false };
  for await (const { bytes, ...part } of parts()) {
    manifest.parts.push(part);
    // First the manifest: by it parts are found when they are to be removed.
    await keepManifest(objects, raw, manifest);
    await objects.put(toPartKey(raw, part.no), bytes, 'application/gzip');
  }
  manifest.isComplete = true;
  await keepManifest(objects, raw, manifest);
  return manifest;
}

/** From the object store, for a worker that did not fetch the file. */
async function restoreFile(session: Session, raw: RawFile): Promise<void> {
  const { ports, run } = session;
  const { objects, tempFiles, settings } = ports;
  const bytes = run.raw ? await objects.open(toRawKey(raw)) : null;
  if (bytes === null) throw fileLost();
  const { path } = await session.temp();
  await tempFiles.reserve(settings.feeds.maxBytes, () => tempFiles.fill(path, bytes));
}

export const fileLost = () =>
  new FeedFault(
    'file_lost',
    'The file was too large for one go, and there is no object store to keep it in between.',
  );
