import { createHash, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import SftpClient from 'ssh2-sftp-client';
import { Unavailable } from '../../ports/faults.ts';
import { FeedFault } from '../../ports/feeds/feed-faults.ts';
import type { FeedLimits, FeedLocation, FeedSource, FetchedFile } from '../../ports/feeds/feed-files.ts';
import { OutboundFailure } from '../../ports/outbound.ts';
import type { Clock } from '../../ports/system.ts';
import {
  type AddressGuard,
  checkedAddresses,
  isPortRefused,
  parseTarget,
  type Target,
} from '../fetcher/address-guard.ts';
import { transferCheck } from '../fetcher/transfer-rate.ts';
import { spaceCheck } from '../system/disk-space.ts';
import { toFeedFault } from './fault.ts';

/** A change of the file within this of its fetching may hide behind the same second. */
const FRESH_MS = 2_000;

interface Remote extends Target {
  path: string;
}

/**
 * A file by SFTP, from public addresses on port 22 only, like everything that is fetched. The server's key is held
 * against the pinned fingerprint before anything else is said: neither user nor password go to a stranger.
 */
export function sftpSource(guard: AddressGuard, clock: Clock): FeedSource['fetch'] {
  return async (location, { etag }, path, limits) => {
    const remote = parseRemote(location.url, guard);
    const late = AbortSignal.timeout(limits.timeoutMs);
    const session: Session = { presented: null, socket: null };
    try {
      session.socket = await dial(remote, guard, late);
      return await fetchBy(session, remote, location, { etag, path, limits, clock, late });
    } catch (error) {
      throw faultFrom(error, session, location, late);
    } finally {
      session.socket?.destroy();
    }
  };
}

interface Session {
  /** Fingerprint of the key the server has shown. */
  presented: string | null;
  socket: Socket | null;
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

async function dial(remote: Remote, guard: AddressGuard, late: AbortSignal): Promise<Socket> {
  const addresses = await checkedAddresses(remote, guard, late);
  let failure: unknown;
  for (const host of addresses.slice(0, 4)) {
    try {
      return await dialAddress(host, remote.port, late);
    } catch (error) {
      failure = error;
    }
  }
  throw new OutboundFailure('connection_failed', 'no answer', failure);
}

function dialAddress(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    const giveUp = () => socket.destroy(new Error('too late'));
    signal.addEventListener('abort', giveUp, { once: true });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
    socket.once('connect', () => {
      socket.off('error', reject);
      // The session reports later breaks; an unhandled one would end the process.
      socket.on('error', () => undefined);
      resolve(socket);
    });
    if (signal.aborted) giveUp();
  });
}

interface Fetching {
  etag: string | null;
  path: string;
  limits: FeedLimits;
  clock: Clock;
  late: AbortSignal;
}

async function fetchBy(
  session: Session,
  remote: Remote,
  location: FeedLocation,
  { etag, path, limits, clock, late }: Fetching,
): Promise<FetchedFile | 'not_modified'> {
  const quiet = () => undefined;
  const client = new SftpClient('feed', { error: quiet, end: quiet, close: quiet });
  const password = location.password ?? '';
  client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) =>
    finish(prompts.map(() => password)),
  );
  await untilLate(client.connect(toOptions(session, location, limits)), late);
  const real = await untilLate(client.realPath(remote.path), late);
  const before = await untilLate(client.stat(real), late);
  if (before.isDirectory) throw new FeedFault('not_found', 'The path leads to a directory, not to a file.');
  if (before.size > limits.maxBytes) throw new FeedFault('too_large', `The file has ${before.size} bytes.`);
  const tag = toTag(before);
  if (etag !== null && etag === tag) return 'not_modified';
  await download(client, { real, path, announced: before.size }, limits, late);
  const after = await untilLate(client.stat(real), late);
  const { bytes, sha256 } = await digest(path);
  if (after.size !== before.size || after.modifyTime !== before.modifyTime || bytes !== before.size)
    throw new FeedFault('file_changing', 'The file changed while it was fetched.');
  const settled = clock.now() - before.modifyTime > FRESH_MS;
  return {
    bytes,
    sha256,
    fileTime: before.modifyTime,
    etag: settled ? tag : null,
    lastModified: null,
    name: remote.path.split('/').at(-1)?.slice(0, 200) ?? '',
  };
}

/** What a server announces binds it to nothing: bytes are counted as they arrive. */
async function download(
  client: SftpClient,
  file: { real: string; path: string; announced: number },
  { maxBytes, minFreeBytes }: FeedLimits,
  late: AbortSignal,
): Promise<void> {
  const { real, path, announced } = file;
  const stop = new AbortController();
  const isTooSlow = transferCheck();
  const fillsDisk = spaceCheck(dirname(path), minFreeBytes);
  const step = (received: number) => {
    if (received > maxBytes)
      stop.abort(new FeedFault('too_large', `The file has more than ${maxBytes} bytes.`));
    else if (received > announced)
      stop.abort(
        new FeedFault('file_changing', `The server sends more than the ${announced} bytes it announced.`),
      );
    else if (isTooSlow(received)) stop.abort(new FeedFault('timeout', 'The server sends too slowly.'));
    else if (fillsDisk(received)) stop.abort(new Unavailable('the disk is nearly full'));
  };
  await untilLate(client.fastGet(real, path, { step }), AbortSignal.any([late, stop.signal]));
}

const toTag = ({ size, modifyTime }: { size: number; modifyTime: number }) => `sftp-${size}-${modifyTime}`;

/**
 * What a hostile server could stop the process with is not offered: 30 kB that unpack to 30 MB, and a prime of its own, which
 * is checked for minutes. Servers have fixed groups or curves as well.
 */
const CHEAP_ALGORITHMS: NonNullable<SftpClient.ConnectOptions['algorithms']> = {
  compress: ['none'],
  kex: { remove: ['diffie-hellman-group-exchange-sha256'], append: [], prepend: [] },
};

function toOptions(
  session: Session,
  { username, password, privateKey, hostKeySha256 }: FeedLocation,
  { timeoutMs }: FeedLimits,
): SftpClient.ConnectOptions {
  if (!session.socket) throw new Error('no connection');
  return {
    sock: session.socket,
    username: username ?? '',
    ...(privateKey === null ? {} : { privateKey, ...(password === null ? {} : { passphrase: password }) }),
    ...(password === null ? {} : { password, tryKeyboard: true }),
    readyTimeout: timeoutMs,
    algorithms: CHEAP_ALGORITHMS,
    hostVerifier: (key: Buffer) => {
      session.presented = toFingerprint(key);
      return hostKeySha256 !== null && sameFingerprint(session.presented, hostKeySha256);
    },
  };
}

/** As `ssh-keygen -l` prints it. */
function toFingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replaceAll('=', '')}`;
}

function sameFingerprint(presented: string, pinned: string): boolean {
  const [one, other] = [presented, pinned].map((text) =>
    Buffer.from(
      text
        .trim()
        .replace(/^SHA256:/i, '')
        .replaceAll('=', ''),
    ),
  );
  return (
    one !== undefined && other !== undefined && one.length === other.length && timingSafeEqual(one, other)
  );
}

function untilLate<T>(work: Promise<T>, late: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(late.reason);
    late.addEventListener('abort', giveUp, { once: true });
    if (late.aborted) giveUp();
    work.then(resolve, reject).finally(() => late.removeEventListener('abort', giveUp));
  });
}

async function digest(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    hash.update(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}

function faultFrom(error: unknown, session: Session, location: FeedLocation, late: AbortSignal): unknown {
  if (error instanceof FeedFault || error instanceof Unavailable) return error;
  if (error instanceof OutboundFailure) return toFeedFault(error);
  if (late.aborted) return new FeedFault('timeout', 'The server took too long.', { cause: error });
  if (!(error instanceof Error)) return error;
  const { message } = error;
  const { presented } = session;
  const pinned = location.hostKeySha256;
  if (presented !== null && pinned === null)
    return new FeedFault('host_key_unknown', `The server’s key is ${presented}, and none is pinned.`);
  if (presented !== null && pinned !== null && !sameFingerprint(presented, pinned))
    return new FeedFault('host_key_changed', `The server’s key is ${presented}, not the pinned one.`);
  if (/ENOSPC|EDQUOT/.test(message)) return new Unavailable('the disk is full', { cause: error });
  if (/privateKey|passphrase|private key/i.test(message))
    return new FeedFault('private_key_unreadable', 'The private key cannot be read.');
  if (/authentication methods? failed|authentication/i.test(message))
    return new FeedFault('auth_failed', 'The server does not let this user in.');
  if (/no such file|does not exist|ENOENT/i.test(message))
    return new FeedFault('not_found', 'There is no file at this path.');
  if (/permission denied|EACCES/i.test(message))
    return new FeedFault('auth_failed', 'This user may not read the file.');
  return new FeedFault('connection_failed', 'The SFTP session broke off.', { cause: error });
}
