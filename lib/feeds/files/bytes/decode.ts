import { isAscii } from 'node:buffer';
import type { FeedEncoding } from '../../schemas/feed-files.ts';

/** Text of a file: what its first bytes tell of the encoding, its beginning, and all of it in pieces. */
export interface DecodedText {
  encoding: FeedEncoding;
  /** At least `HEAD_BYTES` of it, or the whole file. */
  head: string;
  pieces: AsyncIterable<string>;
}

const HEAD_BYTES = 256 * 1024;
const NOTHING = new Uint8Array();

export async function decodeText(bytes: AsyncIterable<Uint8Array>): Promise<DecodedText> {
  const grouped = regrouped(bytes);
  const first = (await grouped.next()).value ?? NOTHING;
  const encoding = detectEncoding(first);
  const decode = textDecoder(encoding);
  const head = decode(first, false).replace(/^\ufeff/, '');
  async function* pieces() {
    yield head;
    for await (const piece of grouped) yield decode(piece, false);
    yield decode(NOTHING, true);
  }
  return { encoding, head, pieces: pieces() };
}

async function* regrouped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    size += piece.length;
    if (size < HEAD_BYTES) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(pieces);
}

/** By byte order mark, by where the zeros stand, else UTF-8 unless its bytes say otherwise. */
function detectEncoding(head: Uint8Array): FeedEncoding {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Western text in UTF-16 has a zero in nearly every second place.
  const sample = head.subarray(0, 1_000);
  const zeros = (odd: number) => sample.filter((byte, at) => byte === 0 && at % 2 === odd).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (odd > sample.length / 4 && even < odd / 8) return 'utf-16le';
  if (even > sample.length / 4 && odd < even / 8) return 'utf-16be';
  try {
    // A character that is cut off at the end is none yet.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/**
 * Whatever is no sound UTF-8 is taken as Windows-1252, byte by byte: files that were put together from several sources
 * have both. How the bytes come in pieces changes nothing.
 */
export function textDecoder(encoding: FeedEncoding): (bytes: Uint8Array, last: boolean) => string {
  if (encoding.startsWith('utf-16')) {
    const decoder = new TextDecoder(encoding, { ignoreBOM: true });
    return (bytes, last) => decoder.decode(bytes, { stream: !last });
  }
  let carry: Uint8Array = NOTHING;
  return (bytes, last) => {
    const all = Buffer.concat([carry, bytes]);
    const end =
      all.length -
      (last ? 0 : (BEGUN.exec(all.toString('latin1', Math.max(0, all.length - 3)))?.[0].length ?? 0));
    carry = all.subarray(end);
    return mixed(all.subarray(0, end));
  };
}

/** Bytes at the end that may be the beginning of a character. */
const BEGUN = /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/;

/** Bytes of characters in sound UTF-8 (RFC 3629, section 4), or one that belongs to none. */
const CHARACTERS =
  /((?:[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})+)|[\x80-\xff]/g;

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const WESTERN = new TextDecoder('windows-1252');

function mixed(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  try {
    return STRICT.decode(bytes);
  } catch {
    return bytes.toString('latin1').replace(CHARACTERS, (found: string, sound?: string) => {
      const these = Buffer.from(found, 'latin1');
      return (sound === undefined ? WESTERN : STRICT).decode(these);
    });
  }
}
