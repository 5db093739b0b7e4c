import { ApiError, type Reason } from '../../errors.ts';
import { LIMITS } from '../../truck/fields.ts';

/**
 * A body of undeclared length is read to its end, up to here, even when it is too large: what is left unread costs the
 * caller its connection, and its next request with it.
 */
const MAX_DRAINED_BYTES = 16 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;
/** Larger than a single record is. */
const LARGE_BYTES = 64 * 1024;
/** A thousand times as much may come out. */
const LARGE_PACKED_BYTES = 4 * 1024;

/** Why a body could not be read; becomes `details.reason` under the route's own 400 code. */
export class BodyFault extends Error {
  override name = 'BodyFault';
  readonly reason: Reason;

  constructor(reason: Reason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Reads the body as JSON, whatever its Content-Type says. At most 4 MiB as sent, 16 MiB unpacked, and 32 levels deep;
 * throws `BodyFault`. `onLarge` comes before a large body costs anything, memory included, perhaps more than once, and may
 * throw an `ApiError`.
 */
export async function readJson(request: Request, onLarge = async () => {}): Promise<unknown> {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() || 'identity';
  const isPacked = encoding === 'gzip';
  if (!isPacked && encoding !== 'identity')
    throw new BodyFault('unsupported_encoding', 'The Content-Encoding of the body is not supported.');
  const weigh = async (size: number, largeBytes = LARGE_BYTES) => size > largeBytes && onLarge();
  const largeBytes = isPacked ? LARGE_PACKED_BYTES : LARGE_BYTES;
  const transferred = await readBytes(request, LIMITS.bodyBytes, (size) => weigh(size, largeBytes));
  const bytes = isPacked ? await unpack(transferred) : transferred;
  await weigh(bytes.length);
  checkStructure(bytes);
  return parseJson(decodeUtf8(bytes));
}

/**
 * The body as it is sent, at most `maxBytes` of it. Throws `BodyFault`. `onSize` learns the declared size, or what has
 * come so far, before more is taken in.
 */
export async function readBytes(
  request: Request,
  maxBytes: number,
  onSize: (bytes: number) => Promise<unknown> = async () => {},
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = new BodyFault('body_too_large', `The body is over ${maxBytes / 1024 ** 2} MiB as sent.`);
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  if (declared > maxBytes) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // The server enforces a declared length, so such a body can be read in one go.
    if (declared >= 0) {
      await onSize(declared);
      return new Uint8Array(await request.arrayBuffer());
    }
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > MAX_DRAINED_BYTES) break;
      await onSize(size);
      if (size > maxBytes) chunks.length = 0;
      else chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // The caller hung up: there is nobody to answer, and nothing of ours failed.
    throw new BodyFault('malformed', 'The body broke off.');
  }
  if (size > maxBytes) throw tooLarge;
  return Buffer.concat(chunks);
}

/** Stops at the limit, so a bomb costs no more than an honest body of that size. */
async function unpack(packed: Uint8Array): Promise<Uint8Array> {
  const [{ promisify }, { gunzip }] = await Promise.all([import('node:util'), import('node:zlib')]);
  try {
    return await promisify(gunzip)(packed, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    if (error instanceof RangeError)
      throw new BodyFault('unpacked_too_large', 'The body is over 16 MiB once unpacked.');
    throw new BodyFault('invalid_gzip', 'The body is not valid gzip.');
  }
}

/** Strict: a replaced character would be stored as if the caller had sent it. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new BodyFault('not_utf8', 'The body is not UTF-8; one that is gzip needs Content-Encoding: gzip.');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (text.trim() === '') throw new BodyFault('empty_body', 'The body is empty.');
    const position = error instanceof Error ? positionIn(error.message) : undefined;
    const place = position ? `unexpected text ${position}` : 'it ends too early or is malformed';
    throw new BodyFault('invalid_json', `The body is not valid JSON: ${place}.`);
  }
}

/** V8 quotes the input; what the caller sent must not echo into messages and logs. */
function positionIn(message: string): string | undefined {
  return /at position \d+( \(line \d+ column \d+\))?/.exec(message)?.[0];
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts values and levels before anything is parsed: what parsing costs is the number of values, not of bytes, and a
 * few packed kilobytes can hold millions of them. Throws `BodyFault`.
 */
function checkStructure(bytes: Uint8Array): void {
  let [values, depth, inText] = [0, 0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) inText = !inText;
    else if (inText) at += Number(byte === BACKSLASH);
    else if (byte === COMMA || byte === COLON) values += 1;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth += 1;
      values += 1;
    }
    if (depth > LIMITS.jsonDepth)
      throw new BodyFault('too_deep', `The body is nested deeper than ${LIMITS.jsonDepth} levels.`);
    if (values > LIMITS.jsonValues)
      throw new BodyFault('too_many_values', `The body has more than ${LIMITS.jsonValues} values.`);
  }
}
