import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Entry } from 'yauzl';
import { FeedFault } from '../../feed-faults.ts';
import type { FeedCompression } from '../../schemas/feed-files.ts';
import type { FileLimits } from '../limits.ts';
import { type Archive, checkGrowth, openArchive } from './zip.ts';

/** A file's content without its compression, to be read once. Reading throws `FeedFault`. */
export interface Unpacked {
  compression: FeedCompression;
  /** The member of a zip archive that is read. */
  entry: string | null;
  bytes: AsyncIterable<Uint8Array>;
}

const PIECE = 256 * 1024;
const NO_DATA = /\.(?:jpe?g|png|gif|webp|svg|pdf|mp4|html?|css|js|docx?|xlsx?|md)$/i;
const HIDDEN = /(?:^|\/)(?:\.|__MACOSX\/)/;

/** Recognises gzip and zip by their first bytes. An archive is an Excel workbook when it has an office document's parts. */
export async function unpack(path: string, limits: FileLimits): Promise<Unpacked | 'workbook'> {
  const [first, second, third, fourth = 0] = await firstBytes(path);
  const file = createReadStream(path, { highWaterMark: PIECE });
  if (first === 0x1f && second === 0x8b)
    return { compression: 'gzip', entry: null, bytes: gunzipped(file, limits) };
  // PK, then a file, or an archive without any.
  if (first !== 0x50 || second !== 0x4b || (third !== 3 && third !== 5) || fourth !== third + 1)
    return { compression: 'none', entry: null, bytes: bounded(file, limits) };
  file.destroy();
  const archive = await openArchive(path, limits);
  if (archive.members.has('[Content_Types].xml')) return 'workbook';
  const member = largest(archive);
  return { compression: 'zip', entry: member.fileName, bytes: archive.read(member) };
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function* bounded(
  bytes: AsyncIterable<Uint8Array>,
  { maxBytes }: FileLimits,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > maxBytes) throw new FeedFault('too_large', `The file has more than ${maxBytes} bytes.`);
    yield piece;
  }
}

async function* gunzipped(source: AsyncIterable<Uint8Array>, limits: FileLimits): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: PIECE });
  pipeline(source, gunzip, () => undefined);
  let size = 0;
  try {
    for await (const piece of gunzip as AsyncIterable<Uint8Array>) {
      size += piece.length;
      checkGrowth(size, gunzip.bytesWritten, limits);
      yield piece;
    }
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (code === 'Z_BUF_ERROR')
      throw new FeedFault('file_truncated', 'The compressed file ends too early.', { cause });
    if (code.startsWith('Z_'))
      throw new FeedFault('file_damaged', 'The file cannot be decompressed.', { cause });
    throw cause;
  }
}

/** The largest member that may be data. */
function largest({ members }: Archive): Entry {
  const data = [...members.values()].filter(
    ({ fileName: name }) => !name.endsWith('/') && !HIDDEN.test(name) && !NO_DATA.test(name),
  );
  const [best] = data
    .filter((entry) => entry.canDecodeFileData())
    .sort((one, other) => other.uncompressedSize - one.uncompressedSize);
  if (best) return best;
  const what = data.some((entry) => entry.isEncrypted())
    ? 'The zip archive is protected by a password.'
    : 'The zip archive has no file that may be data.';
  throw new FeedFault('zip_unusable', what);
}
