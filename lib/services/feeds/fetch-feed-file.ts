import { Unavailable } from '../../ports/faults.ts';
import type { FeedLocation } from '../../ports/feed-files.ts';
import type { FeedRunState } from '../../ports/feeds.ts';
import { rawKeyOf, secretAbout } from './feed-keys.ts';
import { RunFailed, type Session, timed } from './feed-session.ts';

/**
 * Downloads the snapshot and stages it in the object store, so that another holder reads the very same bytes. A file
 * with the bytes that were applied last ends the run.
 */
export async function fetchFeedFile(session: Session): Promise<FeedRunState | 'unchanged'> {
  const { ports, run } = session;
  const { feed, lastFile } = run;
  const path = await session.path();
  const location = await locationOf(session);
  const conditions = { etag: lastFile?.etag ?? null, lastModified: lastFile?.lastModified ?? null };
  const { maxBytes, fetchTimeoutMs: timeoutMs } = ports.settings.feeds;
  const file = await timed(session, 'fetch', () =>
    ports.feedSource.fetch(location, conditions, path, { maxBytes, timeoutMs }),
  );
  const { phases } = session;
  if (file === 'not_modified') {
    await session.mine(ports.feedRuns.unchanged(run, { phases }));
    return 'unchanged';
  }
  const { bytes, sha256, fileTime, etag, lastModified } = file;
  if (sha256 === lastFile?.sha256) {
    await session.mine(ports.feedRuns.unchanged(run, { phases, bytes, sha256 }));
    return 'unchanged';
  }
  refuseStale(fileTime, run.appliedObservedAt);
  session.sha256 = sha256;
  const raw = await timed(session, 'stage', () => staged(session, sha256, path));
  // The file cannot be newer than the moment it was asked for, whatever its server's clock says.
  const observedAt = Math.floor(Math.min(fileTime ?? run.now, run.now));
  const state: FeedRunState = {
    file: { etag, lastModified },
    format: feed.format,
    sourceProviderId: feed.source_provider_id,
    plan: null,
    position: null,
    chunks: 0,
    lookAgain: false,
  };
  await session.mine(ports.feedRuns.fetched(run, { bytes, sha256, observedAt, raw }, state));
  run.observedAt = observedAt;
  return state;
}

/** An older file with other content, as from a mirror that lags behind, would take back what is newer. */
function refuseStale(fileTime: number | null, appliedObservedAt: number | null): void {
  if (fileTime === null || appliedObservedAt === null || fileTime >= Math.floor(appliedObservedAt)) return;
  const [offered, applied] = [fileTime, appliedObservedAt].map((time) => new Date(time).toISOString());
  throw new RunFailed(
    'stale',
    `The file is from ${offered}, older than the one applied last, which is from ${applied}; nothing was changed.`,
    'Offer the newest file, or correct the time that the server gives it (Last-Modified, or the modification time).',
  );
}

async function locationOf({ ports, run, secrets }: Session): Promise<FeedLocation> {
  const { accountId, feedId, feed } = run;
  const about = secretAbout(accountId, feedId);
  const opened = async (name: 'password' | 'private_key') => {
    const sealed = feed[name];
    if (sealed === null) return null;
    const text = await ports.secrets.open(sealed, about);
    secrets.push(text);
    if (!(await ports.secrets.isCurrent(sealed)))
      await ports.feeds.of(accountId).change(feedId, { [name]: await ports.secrets.seal(text, about) });
    return text;
  };
  const { protocol, url, username, host_key_sha256: hostKeySha256 } = feed;
  const password = await opened('password');
  return { protocol, url, username, password, privateKey: await opened('private_key'), hostKeySha256 };
}

/** False without an object store: then only the holder that has the file at hand can go on. */
async function staged({ ports, run }: Session, sha256: string, path: string): Promise<boolean> {
  try {
    await ports.objects.putFile(rawKeyOf({ ...run, sha256 }), path, 'application/octet-stream');
    return true;
  } catch (error) {
    if (error instanceof Unavailable) return false;
    throw error;
  }
}

/** The snapshot as a local file again, for a holder that did not fetch it; false when it is nowhere to be had. */
export async function unstage(
  { ports: { objects, tempFiles }, run }: Session,
  path: string,
): Promise<boolean> {
  const { raw, sha256 } = run;
  const bytes = raw && sha256 !== null ? await objects.open(rawKeyOf({ ...run, sha256 })) : null;
  if (bytes === null) return false;
  await tempFiles.fill(path, bytes);
  return true;
}
