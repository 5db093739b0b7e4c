import {
  type KeptManifest,
  keepManifest,
  openKept,
  readManifest,
  toPartKey,
  toRawKey,
} from '../raw-files.ts';
import type { RunWork } from './claimed-run.ts';

/** To read the whole file. */
const READ_TIMEOUT_MS = 200_000;

/** Reads the file once, from start to end, into numbered parts, unless an earlier worker has. Null: time is up. */
export async function splitFile(work: RunWork) {
  const { run, until } = work;
  const { clock, objects, settings, tempFiles, feedFiles } = work.ports;
  const storedManifest = await readManifest(objects, run);
  if (storedManifest?.isComplete) return storedManifest;
  if (work.file && until - clock.now() < READ_TIMEOUT_MS) return null;
  if (work.file === undefined) {
    const bytes = await openKept(objects, toRawKey(run));
    const file = await tempFiles.make();
    work.file = file;
    await tempFiles.reserve(settings.feeds.maxBytes, () => tempFiles.fill(file.path, bytes));
  }
  const { parts, plan } = await feedFiles.open(work.file.path, run.feed, READ_TIMEOUT_MS);
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
