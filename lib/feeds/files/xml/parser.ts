import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { toTable } from '../../../domain/text/table.ts';
import { FeedFault, type FeedFaultReason } from '../../feed-faults.ts';
import { type FileLimits, MAX_TREE_DEPTH } from '../limits.ts';

/** The parser of XML, within limits. */

/** What a file is read by; names come without the prefix of a namespace. */
export interface XmlReader {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
  error(error: Error): void;
}

const HTML_ENTITIES: Readonly<Record<string, string>> = toTable({
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
});

export const local = (name: string) => name.slice(name.indexOf(':') + 1);

/**
 * Gives the function that reads the next piece. No text or tag is held that is longer than two rows may be: what a thread
 * cannot allot in one go ends the process, not the thread.
 */
export function xmlParser(
  reader: (parser: SaxesParser) => XmlReader,
  limits: FileLimits,
): (piece: string) => void {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const { open, text, close, error } = reader(parser);
  const refuse = (reason: FeedFaultReason, what: string): never => {
    throw new FeedFault(reason, `Line ${parser.line}: ${what}`);
  };
  let attributes = 0;
  let depth = 0;
  let events = 0;
  let quiet = 0;
  const addText = (found: string) => {
    events += 1;
    text?.(found);
  };
  parser.on('opentagstart', () => {
    attributes = 0;
    depth += 1;
    if (depth > MAX_TREE_DEPTH) refuse('nested_too_deep', `nested deeper than ${MAX_TREE_DEPTH} levels.`);
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > limits.maxColumns)
      refuse('too_many_columns', `an element has more than ${limits.maxColumns} attributes.`);
  });
  // Entities of a document type are never read, let alone expanded.
  Object.assign(parser.ENTITIES, HTML_ENTITIES);
  parser.on('doctype', (doctype) => {
    if (/\[|<!ENTITY|\b(?:SYSTEM|PUBLIC)\b/i.test(doctype))
      refuse('dtd_refused', 'the document type brings definitions along.');
  });
  parser.on('opentag', (tag: SaxesTagPlain) => {
    events += 1;
    open(local(tag.name), tag.attributes);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', (tag: SaxesTagPlain) => {
    events += 1;
    depth -= 1;
    close?.(local(tag.name));
  });
  parser.on('error', error);
  return (piece) => {
    const before = events;
    parser.write(piece);
    quiet = events === before ? quiet + piece.length : 0;
    if (quiet > 2 * limits.maxRow) refuse('format_unreadable', 'a text or tag has no end.');
  };
}
