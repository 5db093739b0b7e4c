import { Unavailable } from '../../outside/faults.ts';
import { SecretUnreadable } from '../../outside/files.ts';
import { secretAbout } from '../feed-checks.ts';
import { FeedFault } from '../feed-faults.ts';
import type { FeedLocation } from '../feed-file.ts';
import { endRun } from '../queries/end-run.ts';
import { saveFetched } from '../queries/feed-runs.ts';
import { resealSecret } from '../queries/feeds.ts';
import { toRawKey } from '../raw-files.ts';
import { fetchUpload } from '../sources/upload.ts';
import { type Session, timed } from './session.ts';

/** With less time left, the next worker fetches: a download that outlived the invocation would be begun again and again. */
const MIN_FETCH_MS = 5_000;

/**
 * Downloads the snapshot and stages it in the object store, so that another worker reads the same bytes. A file with
 * the bytes that were applied last ends the run.
 */
export async function fetchFile(session: Session): Promise<'ingest' | 'unchanged' | 'yielded'> {
  const { ports, run, until, phases } = session;
  const leftMs = until - ports.clock.now();
  if (leftMs < MIN_FETCH_MS) return 'yielded';
  const file = await timed(session, 'fetch', () => fetchFrom(session, leftMs));
  if (file === 'not_modified' || file.sha256 === run.lastFile?.sha256) {
    const { bytes, sha256 } = file === 'not_modified' ? {} : file;
    await session.assertLease(endRun(ports.db, run, 'unchanged', { phases, bytes, sha256 }));
    return 'unchanged';
  }
  const { bytes, sha256, fileTime, etag, lastModified } = file;
  refuseStale(fileTime, run.appliedObservedAt);
  session.hasLocalFile = true;
  const raw = await timed(session, 'stage', () => stage(session, sha256));
  // The file cannot be newer than the moment it was asked for, whatever its server's clock says.
  const observedAt = Math.floor(Math.min(fileTime ?? run.now, run.now));
  const state = { file: { etag, lastModified }, part: 1, hasRetryableRejects: false };
  await session.assertLease(saveFetched(ports.db, run, { bytes, sha256, observedAt, raw }, state));
  Object.assign(run, { sha256, raw, observedAt, state });
  return 'ingest';
}

async function fetchFrom(session: Session, leftMs: number) {
  const { ports, run } = session;
  const { maxBytes, fetchTimeoutMs, minFreeBytes } = ports.settings.feeds;
  const limits = { maxBytes, timeoutMs: Math.min(fetchTimeoutMs, leftMs), minFreeBytes };
  const location = await locateFile(session);
  const { path } = await session.temp();
  const known = run.lastFile ?? { etag: null, lastModified: null };
  return ports.tempFiles.reserve(maxBytes, () =>
    run.isUpload
      ? fetchUpload(ports, run.accountId, run.feed.url, path)
      : ports.feedSource.fetch(location, known, path, limits),
  );
}

/** An older file with other content, as from a mirror that lags behind, would take back what is newer. */
function refuseStale(fileTime: number | null, appliedObservedAt: number | null): void {
  if (fileTime === null || appliedObservedAt === null || fileTime >= Math.floor(appliedObservedAt)) return;
  const [offered, applied] = [fileTime, appliedObservedAt].map((time) => new Date(time).toISOString());
  throw new FeedFault(
    'stale',
    `The file is from ${offered}, older than the one applied last, which is from ${applied}; nothing was changed.`,
  );
}

async function locateFile({ ports, run, secrets }: Session): Promise<FeedLocation> {
  const { accountId, feedId, feed } = run;
  const about = secretAbout(accountId, feedId);
  const unseal = async (name: 'password' | 'private_key') => {
    const sealed = feed[name];
    if (sealed === null) return null;
    const text = await ports.secrets.open(sealed, about).catch(throwUnreadable);
    secrets.push(text);
    if (!(await ports.secrets.isCurrent(sealed)))
      await resealSecret(ports.db, accountId, feedId, sealed, await ports.secrets.seal(text, about));
    return text;
  };
  return { ...feed, password: await unseal('password'), private_key: await unseal('private_key') };
}

function throwUnreadable(error: unknown): never {
  if (!(error instanceof SecretUnreadable)) throw error;
  throw new FeedFault(
    'secret_unreadable',
    'The password or private key of this feed can no longer be read: the key that sealed it was lost or replaced.',
  );
}

/** Returns false without an object store: then only the worker that has the file can go on. */
async function stage(session: Session, sha256: string): Promise<boolean> {
  const { ports, run } = session;
  const { path } = await session.temp();
  try {
    await ports.objects.putFile(toRawKey({ ...run, sha256 }), path, 'application/octet-stream');
    return true;
  } catch (error) {
    if (error instanceof Unavailable) return false;
    throw error;
  }
}
