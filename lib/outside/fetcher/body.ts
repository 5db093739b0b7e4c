import type { Readable } from 'node:stream';
import { OutboundFailure } from '../outbound.ts';

const DECODERS = {
  gzip: 'createGunzip',
  'x-gzip': 'createGunzip',
  deflate: 'createInflate',
  br: 'createBrotliDecompress',
} as const;

/**
 * The whole body, decompressed, of at most `maxBytes` both before and after. Nothing beyond the bound is kept, so a
 * bomb costs no more than the bound. Throws `OutboundFailure`.
 */
export async function readBody(body: Readable, encoding: string, maxBytes: number): Promise<Uint8Array> {
  const coding = encoding.trim().toLowerCase();
  if (coding === '' || coding === 'identity') return collect(body, maxBytes);
  const make = Object.entries(DECODERS).find(([name]) => name === coding)?.[1];
  if (!make) throw new OutboundFailure('encoding_unreadable', `Content-Encoding ${coding.slice(0, 40)}`);
  // A connection that breaks while zlib loads must not end the process; the pipe below hears of it again.
  body.on('error', () => undefined);
  const decoder = (await import('node:zlib'))[make]();
  if (body.errored) throw body.errored;
  let transferred = 0;
  body.on('data', (chunk: Uint8Array) => {
    transferred += chunk.length;
    if (transferred > maxBytes) decoder.destroy(tooLarge(maxBytes));
  });
  body.once('error', (error) => decoder.destroy(error));
  body.pipe(decoder);
  try {
    return await collect(decoder, maxBytes);
  } catch (error) {
    if (isZlibError(error)) throw new OutboundFailure('encoding_unreadable', coding, error);
    throw error;
  } finally {
    body.destroy();
  }
}

async function collect(stream: Readable, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

export function tooLarge(maxBytes: number): OutboundFailure {
  return new OutboundFailure('too_large', `more than ${maxBytes} bytes`);
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(Z_|ERR__ERROR_|ERR_BROTLI)/.test(String(error.code));
}
