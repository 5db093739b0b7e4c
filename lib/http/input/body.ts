import { promisify } from 'node:util';
import { LIMITS } from '../../contract/fields.ts';
import type { Reason } from '../../errors.ts';

/**
 * A body of undeclared length is read to its end, up to here, even when it is too large: what is left unread costs the
 * caller its connection, and its next request with it.
 */
const MAX_DRAINED_BYTES = 16 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;

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
 * throws `BodyFault`.
 */
export async function readJson(request: Request): Promise<unknown> {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() || 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw new BodyFault('unsupported_encoding', 'The Content-Encoding of the body is not supported.');
  const sent = await readBytes(request);
  const value = parseJson(decodeUtf8(encoding === 'gzip' ? await unpack(sent) : sent));
  if (isDeeperThan(value, LIMITS.jsonDepth))
    throw new BodyFault('too_deep', `The body is nested deeper than ${LIMITS.jsonDepth} levels.`);
  return value;
}

async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new BodyFault('body_too_large', 'The body is over 4 MiB as sent.');
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  if (declared > LIMITS.bodyBytes) throw tooLarge();
  // The server enforces a declared length, so such a body can be read in one go.
  if (declared >= 0) return new Uint8Array(await request.arrayBuffer());
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > MAX_DRAINED_BYTES) break;
    if (size > LIMITS.bodyBytes) chunks.length = 0;
    else chunks.push(chunk);
  }
  if (size > LIMITS.bodyBytes) throw tooLarge();
  return Buffer.concat(chunks);
}

/** Stops at the limit, so a bomb costs no more than an honest body of that size. */
async function unpack(packed: Uint8Array): Promise<Uint8Array> {
  const { gunzip } = await import('node:zlib');
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
    throw new BodyFault('not_utf8', 'The body is not UTF-8.');
  }
}

function parseJson(text: string): unknown {
  if (text.trim() === '') throw new BodyFault('empty_body', 'The body is empty.');
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = error instanceof Error ? positionIn(error.message) : undefined;
    const where = position ? `unexpected text ${position}` : 'it ends too early or is malformed';
    throw new BodyFault('invalid_json', `The body is not valid JSON: ${where}.`);
  }
}

/** V8 quotes the input; what the caller sent must not echo into messages and logs. */
function positionIn(message: string): string | undefined {
  return /at position \d+( \(line \d+ column \d+\))?/.exec(message)?.[0];
}

/**
 * Whether objects and arrays stand more than `limit` deep in each other. Walks without recursion: JSON.parse accepts
 * nesting that would overflow the stack elsewhere.
 */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = typeof value === 'object' && value !== null ? [value] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= limit) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const member of Array.isArray(item) ? item : Object.values(item))
        if (typeof member === 'object' && member !== null) next.push(member);
    }
    level = next;
  }
  return false;
}
