import { SaxesParser } from 'saxes';
import { FeedFault, type FeedFaultReason } from '../feed-faults.ts';
import { MAX_DEPTH, MAX_ROW } from './rows.ts';

/** What a file is read by; names of elements come without the prefix of a namespace. */
export interface XmlReader {
  open(name: string, attributes: Readonly<Record<string, string>>, line: number): void;
  text?(text: string): void;
  close?(name: string): void;
  /** Whether the error spoils no more than what is being read. */
  bears?(error: Error): boolean;
}

const HTML_ENTITIES = {
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  deg: '°',
  frac12: '½',
  frac14: '¼',
  frac34: '¾',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  hellip: '…',
  eacute: 'é',
  ntilde: 'ñ',
};

export const local = (name: string) => name.slice(name.indexOf(':') + 1);

/**
 * Reads XML piece by piece, and yields after each. No text or tag is held that is longer than two rows may be: what a
 * thread cannot allot in one go ends the process, not the thread.
 */
export async function* readXml(
  pieces: AsyncIterable<string> | Iterable<string>,
  reader: XmlReader,
): AsyncGenerator<undefined> {
  const parser = new SaxesParser<{ xmlns: false }>();
  const refuse = (reason: FeedFaultReason, what: string): never => {
    throw new FeedFault(reason, `Line ${parser.line}: ${what}`);
  };
  let depth = 0;
  let lastTag = 0;
  // Entities of a document type are never read, let alone expanded.
  Object.assign(parser.ENTITIES, HTML_ENTITIES);
  parser.on('doctype', (doctype) => {
    if (/\[|<!ENTITY|\b(?:SYSTEM|PUBLIC)\b/i.test(doctype))
      refuse('dtd_refused', 'the document type brings definitions along.');
  });
  parser.on('opentag', ({ name, attributes }) => {
    lastTag = parser.position;
    depth += 1;
    if (depth > MAX_DEPTH) refuse('nested_too_deep', `nested deeper than ${MAX_DEPTH} levels.`);
    reader.open(local(name), attributes, parser.line);
  });
  parser.on('closetag', ({ name }) => {
    lastTag = parser.position;
    depth -= 1;
    reader.close?.(local(name));
  });
  parser.on('text', (text) => reader.text?.(text));
  parser.on('cdata', (text) => reader.text?.(text));
  parser.on('error', (error) => {
    if (!reader.bears?.(error)) refuse('format_unreadable', `no sound XML (${error.message.slice(0, 160)}).`);
  });
  for await (const piece of pieces) {
    parser.write(piece);
    if (parser.position - lastTag > 2 * MAX_ROW) refuse('format_unreadable', 'a text or tag has no end.');
    yield;
  }
  if (depth > 0) throw new FeedFault('file_truncated', 'The file ends before its XML does.');
}
