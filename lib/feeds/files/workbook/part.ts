import { FeedFault } from '../../feed-faults.ts';
import { textDecoder } from '../bytes/decode.ts';
import type { FileLimits } from '../limits.ts';
import { type XmlReader, xmlParser } from '../xml/parser.ts';

/** Reads a part of a workbook piece by piece, and yields after each piece. */
export async function* readPart(
  bytes: AsyncIterable<Uint8Array>,
  reader: Omit<XmlReader, 'error'>,
  limits: FileLimits,
): AsyncGenerator<undefined> {
  const error = (cause: Error) => {
    throw damaged(cause);
  };
  const read = xmlParser(() => ({ ...reader, error }), limits);
  const decode = textDecoder('utf-8');
  for await (const piece of bytes) {
    read(decode(piece, false));
    yield;
  }
}

/** The whole of a small part. */
export async function readWholePart(...given: Parameters<typeof readPart>): Promise<void> {
  for await (const _ of readPart(...given));
}

export const damaged = (cause?: unknown) =>
  new FeedFault('file_damaged', 'The workbook cannot be read.', { cause });
