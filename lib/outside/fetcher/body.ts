import type { Readable } from 'node:stream';
import { OutboundFailure } from '../outbound.ts';

/** Reads a body of at most `maxBytes`; keeps nothing beyond the bound. Throws `OutboundFailure`. */
export async function readBody(body: Readable, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

export const tooLarge = (maxBytes: number) => new OutboundFailure('too_large', `more than ${maxBytes} bytes`);

/** Refuses a compressed body, which was not asked for, unless its encoding is `readable`. */
export function refuseEncoded(encoding = '', readable: readonly string[] = []): void {
  const coding = encoding.trim().toLowerCase();
  if (!['', 'identity', ...readable].includes(coding))
    throw new OutboundFailure('encoding_unreadable', `Content-Encoding ${coding.slice(0, 40)}`);
}
