import { hash } from 'node:crypto';
import { SecretUnreadable } from '../../outside/files.ts';
import { UPLOAD_FEED } from '../feed.ts';
import { secretAbout } from '../feed-checks.ts';
import { FeedFault } from '../feed-faults.ts';
import { saveFetched } from '../queries/feed-runs.ts';
import { resealSecret } from '../queries/feeds.ts';
import { readUpload } from '../queries/uploads.ts';
import { toRawKey } from '../raw-files.ts';
import type { RunWork, Step } from './claimed-run.ts';

/** With less time left, the next worker fetches: a download that outlived the invocation would be begun again and again. */
const MIN_FETCH_MS = 5_000;

/**
 * Downloads the snapshot and stages it in the object store, so that another worker reads the same bytes. A file with
 * the bytes that were applied last ends the run.
 */
export const fetchFile: Step = async (work) => {
  const { ports, run, until } = work;
  const leftMs = until - ports.clock.now();
  if (leftMs < MIN_FETCH_MS) return { status: 'yielded' };
  // What cannot be staged need not be downloaded.
  await ports.objects.ping();
  work.file = await ports.tempFiles.make();
  const { path } = work.file;
  const fetched = await download(work, path, leftMs);
  if (fetched === 'not_modified') return { status: 'unchanged' };
  const { bytes, sha256, fileTime, etag, lastModified } = fetched;
  if (sha256 === run.lastFile?.sha256) return { status: 'unchanged', bytes, sha256 };
  // As from a mirror that lags behind: it would take back what is newer.
  if (fileTime !== null && fileTime < Math.floor(run.appliedObservedAt ?? 0))
    throw new FeedFault(
      'stale',
      `The file is from ${new Date(fileTime).toISOString()}, older than the one applied last; nothing was changed.`,
    );
  await ports.objects.putFile(toRawKey({ ...run, sha256 }), path, 'application/octet-stream');
  // The file cannot be newer than the moment it was asked for, whatever its server's clock says.
  const observedAt = Math.floor(Math.min(fileTime ?? run.now, run.now));
  const state = { ...run.state, file: { etag, lastModified } };
  await saveFetched(ports.db, run, { bytes, sha256, observedAt, state });
  Object.assign(run, { sha256, observedAt, state });
  return 'ingest';
};

async function download(work: RunWork, path: string, leftMs: number) {
  const { ports, run } = work;
  const { maxBytes, fetchTimeoutMs, minFreeBytes } = ports.settings.feeds;
  const limits = { maxBytes, timeoutMs: Math.min(fetchTimeoutMs, leftMs), minFreeBytes };
  const password = await unseal(work, 'password');
  const location = { ...run.feed, password, private_key: await unseal(work, 'private_key') };
  const validators = run.lastFile ?? { etag: null, lastModified: null };
  return ports.tempFiles.reserve(maxBytes, () =>
    run.feedId === UPLOAD_FEED
      ? fetchUpload(work, path)
      : ports.feedSource.fetch(location, validators, path, limits),
  );
}

/** The file that a person sent, once more into the file at `path`. */
async function fetchUpload({ ports, run }: RunWork, path: string) {
  const upload = await readUpload(ports.db, run.accountId, run.feed.url);
  if (upload === null) throw new FeedFault('upload_gone', 'The file that was sent is not kept any more.');
  const bytes = Buffer.from(upload.content, 'base64');
  await ports.tempFiles.fill(path, [bytes]);
  return {
    bytes: bytes.length,
    sha256: hash('sha256', bytes),
    fileTime: null,
    etag: null,
    lastModified: null,
  };
}

/** The secret in the clear; sealed anew where the key was changed since. */
async function unseal({ ports, run, secrets }: RunWork, name: 'password' | 'private_key') {
  const { accountId, feedId, feed } = run;
  const sealed = feed[name];
  if (sealed === null) return null;
  const about = secretAbout(accountId, feedId);
  const text = await ports.secrets.open(sealed, about).catch((error: unknown) => {
    if (!(error instanceof SecretUnreadable)) throw error;
    throw new FeedFault(
      'secret_unreadable',
      'The password or private key of this feed can no longer be read: the key that sealed it was lost or replaced.',
    );
  });
  secrets.push(text);
  if (!(await ports.secrets.isCurrent(sealed)))
    await resealSecret(ports.db, accountId, feedId, sealed, await ports.secrets.seal(text, about));
  return text;
}
