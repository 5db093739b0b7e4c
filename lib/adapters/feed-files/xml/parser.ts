import { SaxesParser } from 'saxes';
import { toTable } from '../../../domain/text/table.ts';
import { FeedFault } from '../../../ports/feeds/feed-faults.ts';
import { type FileLimits, MAX_DEPTH } from '../limits.ts';

/** The parser of XML, within limits. */

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

/** Without the prefix of a namespace. */
export const local = (name: string) => name.slice(name.indexOf(':') + 1);

export function newParser({ maxColumns }: FileLimits): SaxesParser {
  const parser = new SaxesParser({ xmlns: false, position: true });
  let attributes = 0;
  parser.on('opentagstart', () => {
    attributes = 0;
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > maxColumns)
      throw new FeedFault(
        'too_many_columns',
        `Line ${parser.line}: an element has more than ${maxColumns} attributes.`,
      );
  });
  // Entities of a document type are never read, let alone expanded.
  Object.assign(parser.ENTITIES, HTML_ENTITIES);
  parser.on('doctype', (doctype) => {
    if (/\[|<!ENTITY|\b(?:SYSTEM|PUBLIC)\b/i.test(doctype))
      throw new FeedFault('dtd_refused', `Line ${parser.line}: the document type brings definitions along.`);
  });
  return parser;
}

/** Elements around the rows and inside of them. */
export const MAX_TREE_DEPTH = 3 * MAX_DEPTH;

export function tooDeep(line: number): FeedFault {
  return new FeedFault('nested_too_deep', `Line ${line}: nested deeper than ${MAX_TREE_DEPTH} levels.`);
}
