import { LIMITS } from '../contract/fields.ts';

/**
 * A body of undeclared length is read to its end, up to here, even when it is too large: what is left unread costs the
 * caller its connection, and its next request with it.
 */
const MOST_DRAINED = 16 * 1024 * 1024;

/** Why a body could not be read; becomes `details.reason` under the route's own 400 code. */
export class BodyFault extends Error {
  override name = 'BodyFault';
}

/**
 * Reads the body as JSON, whatever its Content-Type says. At most 4 MiB and 32 levels deep; throws `BodyFault`.
 */
export async function readJson(request: Request): Promise<unknown> {
  const encoding = request.headers.get('content-encoding');
  if (encoding && encoding.toLowerCase() !== 'identity')
    throw new BodyFault(`Content-Encoding ${encoding.slice(0, 20)} is not supported; send plain JSON.`);
  const text = await readText(request);
  if (text.trim() === '') throw new BodyFault('The body is empty; send a JSON object.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new BodyFault(
      `The body is not valid JSON: ${error instanceof Error ? firstClause(error.message) : ''}`,
    );
  }
  if (deeperThan(value, LIMITS.jsonDepth))
    throw new BodyFault(`The body is nested deeper than ${LIMITS.jsonDepth} levels.`);
  return value;
}

/** V8 quotes the input after the first comma; what the caller sent must not echo into messages and logs. */
function firstClause(message: string): string {
  const position = /at position \d+( \(line \d+ column \d+\))?/.exec(message)?.[0];
  return position ? `unexpected text ${position}.` : 'it ends too early or is malformed.';
}

async function readText(request: Request): Promise<string> {
  const tooLarge = () => new BodyFault(`The body is over ${LIMITS.bodyBytes} bytes (4 MiB).`);
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  if (declared > LIMITS.bodyBytes) throw tooLarge();
  // The server holds a declared length to its word, so that such a body can be read in one go.
  if (declared >= 0) return decodeUtf8(await request.arrayBuffer());
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > MOST_DRAINED) break;
    if (size > LIMITS.bodyBytes) chunks.length = 0;
    else chunks.push(chunk);
  }
  if (size > LIMITS.bodyBytes) throw tooLarge();
  return decodeUtf8(Buffer.concat(chunks));
}

/** Strict: a replaced character would be stored as if the caller had sent it. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: AllowSharedBufferSource): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new BodyFault('The body is not UTF-8; encode it as UTF-8.');
  }
}

/**
 * Whether objects and arrays stand more than `limit` deep in each other. Walks without recursion: JSON.parse accepts
 * nesting that would overflow the stack elsewhere.
 */
export function deeperThan(value: unknown, limit: number): boolean {
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
