import { isAscii } from 'node:buffer';
import type { FeedEncoding } from '../../contract/feeds/feed-files.ts';

/** What the first bytes tell of the encoding. */
export interface Encoding {
  name: FeedEncoding;
  /** Bytes of the byte order mark. */
  skip: number;
  /** It is windows-1252 because the file says so, not because its bytes are no UTF-8. */
  declared: boolean;
}

const DECLARED = /^<\?xml[^>]*\sencoding\s*=\s*["'](iso-8859-1|latin-?1|windows-1252|cp1252|us-ascii)["']/i;

/** By byte order mark, by where the zeros stand, by an XML declaration, else UTF-8 unless its bytes say otherwise. */
export function detectEncoding(head: Uint8Array): Encoding {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { name: 'utf-8', skip: 3, declared: false };
  if (first === 0xff && second === 0xfe) return { name: 'utf-16le', skip: 2, declared: false };
  if (first === 0xfe && second === 0xff) return { name: 'utf-16be', skip: 2, declared: false };
  const wide = detectWideEncoding(head);
  if (wide) return { name: wide, skip: 0, declared: false };
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 200)).toString('latin1');
  if (DECLARED.test(start)) return { name: 'windows-1252', skip: 0, declared: true };
  const sound = utf8Length(head);
  return { name: head.length - sound > 3 ? 'windows-1252' : 'utf-8', skip: 0, declared: false };
}

/** Western text in UTF-16 has a zero in nearly every second place. */
function detectWideEncoding(head: Uint8Array): FeedEncoding | null {
  const zeros = [0, 0];
  const length = Math.min(head.length, 1_000) & ~1;
  for (let at = 0; at < length; at++) if (head[at] === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (length >= 4 && odd > length / 4 && even < odd / 8) return 'utf-16le';
  return length >= 4 && even > length / 4 && odd < even / 8 ? 'utf-16be' : null;
}

/**
 * Text of bytes in pieces. Whatever is no sound UTF-8 is taken as Windows-1252, byte by byte: files that were put
 * together from several sources have both. How the bytes come in pieces changes nothing.
 */
export async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decode = createDecoder(encoding);
  let { skip } = encoding;
  for await (const piece of bytes) {
    const rest = piece.subarray(Math.min(skip, piece.length));
    skip -= piece.length - rest.length;
    const text = decode(rest, false);
    if (text !== '') yield text;
  }
  const text = decode(new Uint8Array(), true);
  if (text !== '') yield text;
}

type Decode = (bytes: Uint8Array, last: boolean) => string;

function createDecoder({ name, declared }: Encoding): Decode {
  if (declared || name.startsWith('utf-16')) {
    const decoder = new TextDecoder(name, { ignoreBOM: true });
    return (bytes, last) => decoder.decode(bytes, { stream: !last });
  }
  let carry: Uint8Array = new Uint8Array();
  return (bytes, last) => {
    const all = carry.length > 0 ? Buffer.concat([carry, bytes]) : bytes;
    const end = last ? all.length : all.length - unfinished(all);
    carry = all.slice(end);
    return mixed(all.subarray(0, end));
  };
}

/** Bytes at the end that may be the beginning of a character. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < sequenceLength(byte) ? back : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return 2;
}

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const WESTERN = new TextDecoder('windows-1252');

function mixed(bytes: Uint8Array): string {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (isAscii(view)) return view.toString('latin1');
  try {
    return STRICT.decode(view);
  } catch {
    return byParts(view);
  }
}

/** Sound stretches as UTF-8, the bytes between them as Windows-1252. */
function byParts(view: Buffer): string {
  const parts: string[] = [];
  let at = 0;
  while (at < view.length) {
    const sound = utf8Length(view.subarray(at));
    parts.push(view.toString('utf8', at, at + sound));
    at += sound;
    const from = at;
    while (at < view.length && utf8Length(view.subarray(at, at + 4), 1) === 0) at += 1;
    parts.push(WESTERN.decode(view.subarray(from, at)));
  }
  return parts.join('');
}

/** The number of bytes from the start that are sound UTF-8 (RFC 3629, section 4); looks no further than `enough`. */
function utf8Length(bytes: Uint8Array, enough = bytes.length): number {
  let at = 0;
  while (at < Math.min(bytes.length, enough)) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) {
      at += 1;
      continue;
    }
    const length = lead >= 0xc2 && lead <= 0xf4 ? sequenceLength(lead) : 0;
    const second = bytes[at + 1] ?? 0;
    const [low, high] = SECOND[lead] ?? [0x80, 0xbf];
    if (length === 0 || at + length > bytes.length || second < low || second > high) return at;
    for (let next = at + 2; next < at + length; next++) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return at;
    at += length;
  }
  return at;
}

const SECOND: Readonly<Record<number, readonly [number, number]>> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
};
