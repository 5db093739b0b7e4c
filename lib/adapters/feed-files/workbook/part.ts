import type { SaxesTagPlain } from 'saxes';
import { FeedFault } from '../../../ports/feeds/feed-faults.ts';
import { decoded } from '../decode.ts';
import type { FileLimits } from '../limits.ts';
import { local, MAX_TREE_DEPTH, newParser, tooDeep } from '../xml/parser.ts';

/** What a part of a workbook is read by; names come without their prefix. */
export interface PartReader {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

const UTF8 = { name: 'utf-8', skip: 0, declared: false } as const;

/**
 * Reads a part piece by piece, and yields after each piece. No text or tag is held that is longer than two cells may be:
 * what a thread cannot allot in one go ends the process, not the thread.
 */
export async function* readPart(
  bytes: AsyncIterable<Uint8Array>,
  reader: PartReader,
  limits: FileLimits,
): AsyncGenerator<undefined> {
  const parser = newParser(limits);
  let event = 0;
  let written = 0;
  let depth = 0;
  const moved = () => {
    event = written;
  };
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    moved();
    depth += 1;
    if (depth > MAX_TREE_DEPTH) throw tooDeep(parser.line);
    reader.open?.(local(name), attributes);
  });
  parser.on('text', (text) => {
    moved();
    reader.text?.(text);
  });
  parser.on('cdata', (text) => {
    moved();
    reader.text?.(text);
  });
  parser.on('closetag', ({ name }: SaxesTagPlain) => {
    moved();
    depth -= 1;
    reader.close?.(local(name));
  });
  parser.on('error', (error) => {
    throw damaged(error);
  });
  for await (const piece of decoded(bytes, UTF8)) {
    parser.write(piece);
    written += piece.length;
    if (written - event > 2 * limits.maxCell) throw damaged(new Error('a text or tag has no end'));
    yield;
  }
  parser.close();
}

/** The whole of a small part. */
export async function readWholePart(...given: Parameters<typeof readPart>): Promise<void> {
  for await (const _ of readPart(...given));
}

export const damaged = (cause?: unknown) =>
  new FeedFault('file_damaged', 'The workbook cannot be read.', { cause });
