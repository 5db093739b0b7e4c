import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { connect, isIP, type Socket } from 'node:net';
import { dirname } from 'node:path';
import SftpClient from 'ssh2-sftp-client';
import { onceTooSlow } from '../../adapters/fetcher/transfer-rate.ts';
import { spaceCheck } from '../../adapters/system/disk-space.ts';
import { Unavailable } from '../../ports/faults.ts';
import { OutboundFailure } from '../../ports/outbound.ts';
import { FeedFault } from '../feed-faults.ts';
import type { FeedLimits, FeedLocation } from '../feed-file.ts';
import { toFeedFault } from './fault.ts';

/** One SFTP session, in a thread of its own: who started it ends the thread when time is up. */

export interface SftpJob {
  /** Where the connection goes; the first that answers. */
  addresses: readonly string[];
  port: number;
  remotePath: string;
  location: FeedLocation;
  etag: string | null;
  path: string;
  limits: FeedLimits;
}

export interface SftpFile {
  bytes: number;
  sha256: string;
  modifyTime: number;
  tag: string;
}

interface Session {
  /** Fingerprint of the key the server has shown. */
  presented: string | null;
  socket: Socket;
}

/** Fills the file of the job. The server's key is compared before anything else is said. Throws `FeedFault`. */
export async function fetchBySftp(job: SftpJob): Promise<SftpFile | 'not_modified'> {
  let session: Session | null = null;
  try {
    session = { presented: null, socket: await dial(job) };
    return await readRemote(session, job);
  } catch (error) {
    throw faultFrom(error, session?.presented ?? null, job.location);
  } finally {
    session?.socket.destroy();
  }
}

/** To the address that answers first, of those that were checked. */
async function dial({ addresses, port }: SftpJob): Promise<Socket> {
  const checked = addresses.slice(0, 4).map((address) => ({ address, family: isIP(address) }));
  const socket = connect({
    host: 'checked',
    port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 5_000,
    lookup: (_host, _options, answer) => answer(null, checked),
  });
  try {
    await once(socket, 'connect');
  } catch (cause) {
    throw new OutboundFailure('connection_failed', 'no answer', cause);
  }
  // The session reports later breaks; an unhandled one would end the thread.
  return socket.on('error', () => undefined);
}

async function readRemote(session: Session, job: SftpJob): Promise<SftpFile | 'not_modified'> {
  const { location, limits, path, etag } = job;
  const quiet = () => undefined;
  const client = new SftpClient('feed', { error: quiet, end: quiet, close: quiet });
  const password = location.password ?? '';
  client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) =>
    finish(prompts.map(() => password)),
  );
  await client.connect(toOptions(session, location, limits));
  const real = await client.realPath(job.remotePath);
  const before = await client.stat(real);
  if (before.isDirectory) throw new FeedFault('not_found', 'The path leads to a directory, not to a file.');
  if (before.size > limits.maxBytes) throw new FeedFault('too_large', `The file has ${before.size} bytes.`);
  const tag = toTag(before);
  if (etag !== null && etag === tag) return 'not_modified';
  await download(client, { real, path, announced: before.size }, limits);
  const after = await client.stat(real);
  const { bytes, sha256 } = await digest(path);
  if (after.size !== before.size || after.modifyTime !== before.modifyTime || bytes !== before.size)
    throw new FeedFault('file_changing', 'The file changed while it was fetched.');
  return { bytes, sha256, modifyTime: before.modifyTime, tag };
}

/** What a server announces binds it to nothing: bytes are counted as they arrive. */
async function download(
  client: SftpClient,
  file: { real: string; path: string; announced: number },
  { maxBytes, minFreeBytes }: FeedLimits,
): Promise<void> {
  const { real, path, announced } = file;
  const stopped = Promise.withResolvers<never>();
  const stop = stopped.reject;
  let bytes = 0;
  const fillsDisk = spaceCheck(dirname(path), minFreeBytes);
  const endSlow = onceTooSlow(
    () => bytes,
    () => stop(new FeedFault('timeout', 'The server sends too slowly.')),
  );
  const step = (received: number) => {
    bytes = received;
    if (received > maxBytes) stop(new FeedFault('too_large', `The file has more than ${maxBytes} bytes.`));
    else if (received > announced)
      stop(new FeedFault('file_changing', `The server sends more than the ${announced} bytes it announced.`));
    else if (fillsDisk(received)) stop(new Unavailable('the disk is nearly full'));
  };
  try {
    await Promise.race([client.fastGet(real, path, { step }), stopped.promise]);
  } finally {
    endSlow();
  }
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
  const bare = pinned
    .trim()
    .replace(/^SHA256:/i, '')
    .replaceAll('=', '');
  return presented === `SHA256:${bare}`;
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

function faultFrom(error: unknown, presented: string | null, location: FeedLocation): unknown {
  if (error instanceof FeedFault || error instanceof Unavailable) return error;
  if (error instanceof OutboundFailure) return toFeedFault(error);
  if (!(error instanceof Error)) return error;
  const { message } = error;
  const pinned = location.hostKeySha256;
  if (presented !== null && pinned === null)
    return new FeedFault('host_key_unknown', `The server’s key is ${presented}, and none is pinned.`);
  if (presented !== null && pinned !== null && !sameFingerprint(presented, pinned))
    return new FeedFault('host_key_changed', `The server’s key is ${presented}, not the pinned one.`);
  if (/ENOSPC|EDQUOT/.test(message)) return new Unavailable('the disk is full', { cause: error });
  const [, reason, what] = MESSAGES.find(([pattern]) => pattern.test(message)) ?? LOST;
  return new FeedFault(reason, what, { cause: error });
}

const LOST = [/./, 'connection_failed', 'The SFTP session broke off.'] as const;
/** What the client and servers say. */
const MESSAGES = [
  [/privateKey|passphrase|private key/i, 'private_key_unreadable', 'The private key cannot be read.'],
  [/authentication/i, 'auth_failed', 'The server does not let this user in.'],
  [/no such file|does not exist|ENOENT/i, 'not_found', 'There is no file at this path.'],
  [/permission denied|EACCES/i, 'auth_failed', 'This user may not read the file.'],
] as const;
