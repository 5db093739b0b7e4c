import {
  type KeptManifest,
  keepManifest,
  openKept,
  readManifest,
  toPartKey,
  toRawKey,
} from '../raw-files.ts';
import type { Session } from './claimed-run.ts';

/** For all of the file. */
const READ_TIMEOUT_MS = 200_000;

/** Reads the file once, from start to end, into numbered parts, unless an earlier worker has. Null: time is up. */
export async function splitFile(session: Session) {
  const { run, until } = session;
  const { clock, objects, settings, tempFiles, feedFiles } = session.ports;
  const storedManifest = await readManifest(objects, run);
  if (storedManifest?.isComplete) return storedManifest;
  if (session.file && until - clock.now() < READ_TIMEOUT_MS) return null;
  if (session.file === undefined) {
    const bytes = await openKept(objects, toRawKey(run));
    const file = await tempFiles.make();
    session.file = file;
    await tempFiles.reserve(settings.feeds.maxBytes, () => tempFiles.fill(file.path, bytes));
  }
  const { parts, plan } = await feedFiles.open(session.file.path, run.feed, READ_TIMEOUT_MS);
  const manifest: KeptManifest = { plan, parts: [], isComplete: false };
  for await (const { bytes, ...part } of parts()) {
    manifest.parts.push(part);
    // First the manifest: by it parts are found when they are to be removed.
    await keepManifest(objects, run, manifest);
    await objects.put(toPartKey(run, part.no), bytes, 'application/gzip');
  }
  manifest.isComplete = true;
  await keepManifest(objects, run, manifest);
  return manifest;
}
