import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import type { FeedCompression } from '../../contract/feeds/feed-files.ts';
import { FeedFault } from '../../ports/feeds/feed-faults.ts';
import type { FileLimits } from './limits.ts';
import { checkGrowth, readMember } from './zip-member.ts';

/** A file's content without its compression. */
export interface Unpacked {
  compression: FeedCompression;
  /** The member of a zip archive that is read. */
  entry: string | null;
  /** The bytes are the first sheet of an Excel workbook, as CSV. */
  isWorkbook: boolean;
  /** From the beginning, each time it is called. Throws `FeedFault`. */
  bytes(): AsyncIterable<Uint8Array>;
}

const PIECE = 256 * 1024;
const NO_DATA = /\.(?:jpe?g|png|gif|webp|svg|pdf|mp4|html?|css|js|docx?|xlsx?|md)$/i;
const HIDDEN = /(?:^|\/)(?:\.|__MACOSX\/)/;

/** Recognises gzip and zip by their first bytes, also a gzip within a gzip, as careless servers make it. */
export async function unpack(path: string, limits: FileLimits): Promise<Unpacked> {
  const start = await firstBytes(path);
  if (isGzip(start)) {
    const once = () => gunzipped(createReadStream(path, { highWaterMark: PIECE }), limits);
    const twice = isGzip(await head(once()));
    const bytes = twice ? () => gunzipped(once(), limits) : once;
    return { compression: 'gzip', entry: null, isWorkbook: false, bytes };
  }
  if (isZip(start)) return unzip(path, limits);
  const bytes = () => bounded(createReadStream(path, { highWaterMark: PIECE }), limits);
  return { compression: 'none', entry: null, isWorkbook: false, bytes };
}

const isGzip = (start: Uint8Array) => start[0] === 0x1f && start[1] === 0x8b;
/** PK, then a file, or an archive without any. */
const isZip = (start: Uint8Array) =>
  start[0] === 0x50 && start[1] === 0x4b && (start[2] === 3 || start[2] === 5) && start[3] === start[2] + 1;

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function head(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  for await (const piece of bytes) if (piece.length > 0) return piece;
  return new Uint8Array();
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

async function* gunzipped(
  source: Readable | AsyncIterable<Uint8Array>,
  limits: FileLimits,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: PIECE });
  pipeline(source, gunzip, () => undefined);
  let size = 0;
  try {
    for await (const piece of gunzip as AsyncIterable<Uint8Array>) {
      size += piece.length;
      checkGrowth(size, gunzip.bytesWritten, limits);
      yield piece;
    }
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(error: unknown): unknown {
  if (error instanceof FeedFault || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR')
    return new FeedFault('file_truncated', 'The compressed file ends too early.', { cause: error });
  if (code.startsWith('Z_'))
    return new FeedFault('file_damaged', 'The file cannot be decompressed.', { cause: error });
  return error;
}

/** The largest member that may be data. */
async function unzip(path: string, limits: FileLimits): Promise<Unpacked> {
  const { openPromise } = await import('yauzl').then((yauzl) => yauzl.default);
  // The reader's own checks of declared sizes are kept; what its streams report beyond is a damaged file.
  const opened = async () => {
    try {
      return await openPromise(path, { lazyEntries: true, autoClose: false });
    } catch (error) {
      throw new FeedFault('file_truncated', 'The zip archive is damaged or ends too early.', {
        cause: error,
      });
    }
  };
  const archive = await opened();
  try {
    const entry = await largest(archive);
    if (entry === 'office') return await openWorkbook(opened, limits);
    return {
      compression: 'zip',
      entry: entry.fileName,
      isWorkbook: false,
      bytes: () => readMember(opened, entry, limits),
    };
  } finally {
    archive.close();
  }
}

async function openWorkbook(opened: () => Promise<ZipFile>, limits: FileLimits): Promise<Unpacked> {
  const { openSheet } = await import('./workbook/workbook.ts');
  const bytes = await openSheet(opened, limits);
  return { compression: 'none', entry: null, isWorkbook: true, bytes };
}

const MAX_ENTRIES = 10_000;

async function largest(archive: ZipFile): Promise<Entry | 'office'> {
  let best: Entry | undefined;
  let seen = 0;
  let encrypted = false;
  try {
    for await (const entry of archive.eachEntry()) {
      seen += 1;
      if (seen > MAX_ENTRIES)
        throw new FeedFault('zip_unusable', `The archive has over ${MAX_ENTRIES} members.`);
      if (entry.fileName === '[Content_Types].xml') return 'office';
      if (entry.fileName.endsWith('/') || HIDDEN.test(entry.fileName) || NO_DATA.test(entry.fileName))
        continue;
      if (entry.isEncrypted()) encrypted = true;
      else if (entry.canDecodeFileData() && entry.uncompressedSize > (best?.uncompressedSize ?? -1))
        best = entry;
    }
  } catch (error) {
    if (error instanceof FeedFault) throw error;
    throw new FeedFault('file_damaged', 'The zip archive cannot be read.', { cause: error });
  }
  if (best) return best;
  throw new FeedFault(
    'zip_unusable',
    encrypted
      ? 'The zip archive is protected by a password.'
      : 'The zip archive has no file that may be data.',
  );
}
