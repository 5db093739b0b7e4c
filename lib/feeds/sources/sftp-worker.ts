import { hash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { unescape as decodePath } from 'node:querystring';
import { workerData } from 'node:worker_threads';
import SftpClient from 'ssh2-sftp-client';
import { Unavailable } from '../../outside/faults.ts';
import { pinAddresses } from '../../outside/fetcher/own-connection.ts';
import { saveBody } from '../../outside/fetcher/save-body.ts';
import { OutboundFailure } from '../../outside/outbound.ts';
import { FeedFault } from '../feed-faults.ts';
import type { FeedLimits, FeedLocation, FetchedFile } from '../feed-file.ts';
import { answer } from '../threads/answer.ts';
import { toFeedFault } from './fault.ts';

/** The thread of one SFTP session, which answers with the file: who started it ends the thread when time is up. */

export interface SftpJob {
  /** Where the connection goes; the first that answers. */
  addresses: readonly string[];
  port: number;
  location: FeedLocation;
  path: string;
  limits: FeedLimits;
}

answer(() => fetchFile(workerData as SftpJob));

/** Fills the file of the job. The server's key is compared before anything else is said. Throws `FeedFault`. */
async function fetchFile(job: SftpJob): Promise<FetchedFile> {
  let socket: Socket | undefined;
  try {
    socket = await dial(job);
    return await download(await openSession(socket, job), job);
  } catch (error) {
    throw toFault(error);
  } finally {
    socket?.destroy();
  }
}

/** Connects to the first of the checked addresses that answers. */
async function dial({ addresses, port }: SftpJob) {
  const socket = connect({
    host: 'checked',
    port,
    // Requests are small: each would wait for the acknowledgement of the one before it.
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 5_000,
    lookup: pinAddresses(addresses),
  });
  await once(socket, 'connect');
  // The session reports later breaks; an unhandled one would end the thread.
  return socket.on('error', () => undefined);
}

async function openSession(sock: Socket, { location }: SftpJob) {
  const { username, private_key: privateKey, host_key_sha256: pinnedKey } = location;
  const password = location.password ?? '';
  const ignore = () => undefined;
  const client = new SftpClient('feed', { error: ignore, end: ignore, close: ignore });
  client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) =>
    finish(prompts.map(() => password)),
  );
  const keyRefusal = Promise.withResolvers<never>();
  const connected = client.connect({
    sock,
    username: username ?? '',
    // Else the passphrase of a key, or none, would be tried as a password first.
    ...(privateKey === null ? { password, tryKeyboard: true } : { privateKey, passphrase: password }),
    // What a hostile server could stop the process with is not offered: 30 kB that unpack to 30 MB, and a prime of its
    // own, which is checked for minutes. Servers have fixed groups or curves as well.
    algorithms: {
      compress: ['none'],
      kex: { remove: ['diffie-hellman-group-exchange-sha256'], append: [], prepend: [] },
    },
    hostVerifier(key: Buffer) {
      const fault = findKeyFault(key, pinnedKey);
      if (fault !== null) keyRefusal.reject(fault);
      return fault === null;
    },
  });
  await Promise.race([keyRefusal.promise, connected]);
  return client;
}

function findKeyFault(key: Buffer, pinned: string | null) {
  // As `ssh-keygen -l` prints it.
  const digest = hash('sha256', key, 'base64').replace('=', '');
  if (pinned?.replace(/^SHA256:|=$/g, '') === digest) return null;
  const reason = pinned === null ? 'host_key_unknown' : 'host_key_changed';
  const detail = pinned === null ? 'and none is pinned' : 'not the pinned one';
  return new FeedFault(reason, `The server’s key is SHA256:${digest}, ${detail}.`);
}

/** What a server announces binds it to nothing: one byte more than that is asked for, and shows a file that grows. */
async function download(client: SftpClient, { location, path, limits }: SftpJob): Promise<FetchedFile> {
  const remotePath = decodePath(new URL(location.url).pathname);
  const { isDirectory, size, modifyTime } = await client.stat(remotePath);
  if (isDirectory) throw new FeedFault('not_found', 'The path leads to a directory, not to a file.');
  if (size > limits.maxBytes) throw new FeedFault('too_large', `The file has ${size} bytes.`);
  const stream = client.createReadStream(remotePath, { end: size, highWaterMark: READ_BYTES });
  const file = await saveBody(stream, size + 1, { path, ...limits });
  if (file.bytes !== size) throw new FeedFault('file_changing', 'The file changed while it was fetched.');
  return { ...file, fileTime: modifyTime, etag: null, lastModified: null };
}

/** The most that OpenSSH returns for one read. */
const READ_BYTES = 256 * 1024;

function toFault(error: unknown): unknown {
  if (error instanceof OutboundFailure) return toFeedFault(error);
  if (error instanceof FeedFault || error instanceof Unavailable) return error;
  const reason = REASONS.find(([pattern]) => pattern.test(String(error)))?.[1] ?? 'connection_failed';
  return new FeedFault(reason, 'The file cannot be fetched by SFTP.', { cause: error });
}

/** Reasons by the messages of the client and of servers. */
const REASONS = [
  [/privateKey|passphrase|private key/i, 'private_key_unreadable'],
  [/authentication|permission denied|EACCES/i, 'auth_failed'],
  [/no such file|does not exist|ENOENT/i, 'not_found'],
] as const;
