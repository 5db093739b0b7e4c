import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { type Entry, openPromise } from 'yauzl';
import { FeedFault } from '../feed-faults.ts';

/** What a zip archive lists; sizes are what it says of itself. */
export type Archive = Awaited<ReturnType<typeof openArchive>>;

const PIECE = 256 * 1024;
const MAX_BYTES = 4 * 1024 ** 3;
const MAX_MEMBERS = 10_000;
/** Decompressed per compressed byte, once more than so many have come out. */
const MAX_RATIO = 250;
const RATIO_FROM = 32 * 1024 ** 2;

/** No member that may be data. */
const NO_DATA =
  /(?:^|\/)(?:\.|__MACOSX\/)|\/$|\.(?:jpe?g|png|gif|webp|svg|pdf|mp4|html?|css|js|docx?|xlsx?|md)$/i;

/**
 * A file's content without its compression, to be read once, in pieces of at least `PIECE`, but the last. Recognises gzip and zip by
 * their first bytes. Of an archive the largest member that may be data is read, or all as an Excel workbook when it has an office
 * document's parts. Reading throws `FeedFault`.
 */
export async function unpack(path: string, maxBytes = MAX_BYTES) {
  const start = (await buffer(createReadStream(path, { end: 3 }))).toString('latin1');
  if (/^PK(?:\x03\x04|\x05\x06)/.test(start)) {
    const archive = await openArchive(path).catch(rethrow);
    if (archive.members.some(({ fileName }) => fileName === '[Content_Types].xml')) return archive;
    const [member] = archive.members
      .filter((entry) => !NO_DATA.test(entry.fileName) && entry.canDecodeFileData())
      .sort((one, other) => other.uncompressedSize - one.uncompressedSize);
    if (!member)
      throw new FeedFault(
        'zip_unusable',
        'The zip archive has no file of data that opens without a password.',
      );
    return archive.read(member, maxBytes);
  }
  const file = createReadStream(path, { highWaterMark: PIECE });
  if (!start.startsWith('\x1f\x8b')) return limitBytes(file, () => Infinity, maxBytes);
  const gunzip = createGunzip({ chunkSize: PIECE });
  pipeline(file, gunzip, () => undefined);
  return limitBytes(gunzip, () => gunzip.bytesWritten, maxBytes);
}

async function openArchive(path: string) {
  const archive = await openPromise(path, { lazyEntries: true, autoClose: false });
  const members: Entry[] = [];
  for await (const entry of archive.eachEntry())
    if (members.push(entry) > MAX_MEMBERS)
      throw new FeedFault('zip_unusable', `The archive has over ${MAX_MEMBERS} members.`);
  const read = (member: Entry, maxBytes: number) =>
    limitBytes(archive.openReadStreamPromise(member), () => member.compressedSize, maxBytes);
  return { members, read };
}

/** Gives large pieces; stops when decompressing gives too much, or too much of little. */
async function* limitBytes(
  source: Readable | Promise<Readable>,
  packed: () => number,
  maxBytes: number,
): AsyncGenerator<Buffer, undefined> {
  let size = 0;
  let carry = Buffer.alloc(0);
  try {
    for await (const piece of (await source) as AsyncIterable<Uint8Array>) {
      size += piece.length;
      if (size > maxBytes) throw new FeedFault('too_large', `The file has more than ${maxBytes} bytes.`);
      if (size > RATIO_FROM && size > packed() * MAX_RATIO)
        throw new FeedFault(
          'zip_bomb',
          `The file grows more than ${MAX_RATIO}-fold when it is decompressed.`,
        );
      carry = Buffer.concat([carry, piece]);
      if (carry.length < PIECE) continue;
      yield carry;
      carry = Buffer.alloc(0);
    }
    yield carry;
  } catch (cause) {
    rethrow(cause);
  }
}

/** What is no fault of our disk is one of the compression. */
function rethrow(cause: unknown): never {
  if (!(cause instanceof Error) || cause instanceof FeedFault || 'syscall' in cause) throw cause;
  const isCut = /unexpected end of file|truncated/.test(cause.message);
  throw new FeedFault(isCut ? 'file_truncated' : 'file_damaged', 'The file cannot be decompressed.', {
    cause,
  });
}
