import {
  type AddressGuard,
  checkedAddresses,
  isPortRefused,
  parseTarget,
  type Target,
} from '../../adapters/fetcher/address-guard.ts';
import { Unavailable } from '../../ports/faults.ts';
import { OutboundFailure } from '../../ports/outbound.ts';
import type { Clock } from '../../ports/system.ts';
import { FeedFault } from '../feed-faults.ts';
import type { FeedSource } from '../feed-file.ts';
import { startThread } from '../threads/start-thread.ts';
import { toFeedFault } from './fault.ts';
import type { SftpFile, SftpJob } from './sftp-session.ts';

/** A change of the file within this of its fetching may hide behind the same second. */
const FRESH_MS = 2_000;

/** Packets of a session are small, and the file goes to the disk. */
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };

interface Remote extends Target {
  path: string;
}

/**
 * A file by SFTP, from public addresses on port 22 only, like everything that is fetched. Sessions run in threads of
 * their own: every packet is deciphered by itself, so a server that sends small ones would keep the process busy.
 */
export function sftpSource(guard: AddressGuard, clock: Clock): FeedSource['fetch'] {
  return async (location, { etag }, path, limits) => {
    const remote = parseRemote(location.url, guard);
    const late = AbortSignal.timeout(limits.timeoutMs);
    try {
      const addresses = await checkedAddresses(remote, guard, late);
      const { port, path: remotePath } = remote;
      const file = await runSession({ addresses, port, remotePath, location, etag, path, limits }, late);
      if (file === 'not_modified') return file;
      const { bytes, sha256, modifyTime, tag } = file;
      const settled = clock.now() - modifyTime > FRESH_MS;
      return { bytes, sha256, fileTime: modifyTime, etag: settled ? tag : null, lastModified: null };
    } catch (error) {
      if (error instanceof OutboundFailure) throw toFeedFault(error);
      if (error instanceof FeedFault || error instanceof Unavailable || !late.aborted) throw error;
      throw new FeedFault('timeout', 'The server took too long.', { cause: error });
    }
  };
}

function parseRemote(text: string, guard: AddressGuard): Remote {
  const refuse = (detail: string) => toFeedFault(new OutboundFailure('url_refused', detail));
  const url = URL.parse(text);
  if (url?.protocol !== 'sftp:') throw refuse('no sftp:// URL');
  if (url.username !== '' || url.password !== '') throw refuse('credentials in the URL');
  const target = parseTarget(url);
  if (target.hostname === '') throw refuse('no host');
  if (isPortRefused(url, guard)) throw refuse(`port ${url.port}`);
  let path: string;
  try {
    path = decodeURIComponent(url.pathname);
  } catch {
    throw refuse('the path is not encoded as URLs are');
  }
  if (path === '' || path.endsWith('/') || path.includes('\0')) throw refuse('no file in the path');
  return { ...target, path };
}

/** What the session's thread finds; it is ended whatever that is. */
async function runSession(job: SftpJob, late: AbortSignal): Promise<SftpFile | 'not_modified'> {
  const thread = startThread(WORKER, job, MEMORY, late, (cause) =>
    late.aborted ? cause : new FeedFault('connection_failed', 'The SFTP session broke off.', { cause }),
  );
  try {
    return await thread.ask();
  } finally {
    await thread.close();
  }
}

const WORKER = new URL('./sftp-worker.ts', import.meta.url);
