import { isUtf8 } from 'node:buffer';
import type { FeedEncoding } from '../schemas/feed-files.ts';

/** Text of a file: the beginning, which also tells the encoding, and all of it in pieces. */
export type DecodedText = Awaited<ReturnType<typeof decodeText>>;

const NOTHING = Buffer.alloc(0);

export async function decodeText(bytes: AsyncGenerator<Buffer, undefined>) {
  const first = (await bytes.next()).value ?? NOTHING;
  const encoding = detectEncoding(first);
  const decode = textDecoder(encoding);
  const head = decode(first).replace(/^\ufeff/, '');
  async function* pieces() {
    yield head;
    for await (const piece of bytes) yield decode(piece);
    yield decode();
  }
  return { encoding, head, pieces: pieces() };
}

/** By byte order mark, by where zeros stand in the first two letters, else UTF-8 unless its bytes say otherwise. */
function detectEncoding(head: Buffer): FeedEncoding {
  const start = head.toString('latin1', 0, 4);
  if (/^(?:\xff\xfe|[^\0]\0[^\0]\0)/.test(start)) return 'utf-16le';
  if (/^(?:\xfe\xff|\0[^\0]\0[^\0])/.test(start)) return 'utf-16be';
  return isUtf8(head.subarray(0, findWholeEnd(head))) ? 'utf-8' : 'windows-1252';
}

/**
 * Gives the function that decodes the next bytes, and the last without any. What is no sound UTF-8 is Windows-1252, byte by
 * byte: files that were put together from several sources have both.
 */
export function textDecoder(encoding: FeedEncoding): (bytes?: Uint8Array) => string {
  if (encoding.startsWith('utf-16')) {
    const decoder = new TextDecoder(encoding);
    return (bytes) => decoder.decode(bytes, { stream: bytes !== undefined });
  }
  let carry = NOTHING;
  return (bytes) => {
    const all = Buffer.concat([carry, bytes ?? NOTHING]);
    const end = bytes ? findWholeEnd(all) : all.length;
    carry = all.subarray(end);
    return toText(all.subarray(0, end));
  };
}

/** Where bytes begin that may be a character with what comes. */
function findWholeEnd(bytes: Buffer) {
  const last = bytes.toString('latin1', Math.max(0, bytes.length - 3));
  return bytes.length - (/[\xc0-\xff][\x80-\xbf]{0,2}$/.exec(last)?.[0].length ?? 0);
}

const CHARACTERS = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g;
const WESTERN = new TextDecoder('windows-1252');

function toText(bytes: Buffer) {
  if (isUtf8(bytes)) return bytes.toString();
  return bytes.toString('latin1').replace(CHARACTERS, (characters) => {
    const characterBytes = Buffer.from(characters, 'latin1');
    return isUtf8(characterBytes) ? characterBytes.toString() : WESTERN.decode(characterBytes);
  });
}
