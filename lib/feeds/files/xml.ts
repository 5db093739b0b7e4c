import { SaxesParser } from 'saxes';
import { FeedFault, type FeedFaultReason } from '../feed-faults.ts';
import { MAX_DEPTH, MAX_ROW } from './rows.ts';

/** An element that was read whole. */
export interface XmlElement {
  name: string;
  line: number;
  /** Its attributes and what it has inside: texts, objects, and lists where a name comes twice. Its own text is `text`. */
  fields: Record<string, unknown>;
  /** It is longer than a row may be; what comes after that is left out. */
  isCut: boolean;
  /** What is no sound XML in it. */
  error: string | null;
}

export const removePrefix = (name: string) => name.slice(name.indexOf(':') + 1);

/**
 * Reads XML piece by piece and gives the elements that are wanted by their path, the outermost first; names come without the
 * prefix of a namespace. No text or tag is held that is longer than two rows may be: what a thread cannot allot in one go ends
 * the process, not the thread.
 */
export async function* readElements(
  pieces: AsyncIterable<string>,
  wants: (path: readonly string[]) => boolean,
): AsyncGenerator<XmlElement[]> {
  const parser = new SaxesParser<{ xmlns: false }>();
  const refuse = (reason: FeedFaultReason, detail: string) => {
    throw new FeedFault(reason, `Line ${parser.line}: ${detail}`);
  };
  const elements: XmlElement[] = [];
  const path: string[] = [];
  /** What is open of the element being read, itself first. */
  const nodes: { fields: XmlElement['fields']; text: string }[] = [];
  let element: XmlElement | null = null;
  let [start, lastTag] = [0, 0];

  // Entities of a document type are never read, let alone expanded.
  parser.on('doctype', (doctype) => {
    if (/\[|<!ENTITY|\b(?:SYSTEM|PUBLIC)\b/i.test(doctype))
      refuse('dtd_refused', 'the document type brings definitions along.');
  });
  parser.on('opentag', (tag) => {
    lastTag = parser.position;
    const name = removePrefix(tag.name);
    path.push(name);
    if (path.length > MAX_DEPTH) refuse('nested_too_deep', `nested deeper than ${MAX_DEPTH} levels.`);
    if (element === null) {
      if (!wants(path)) return;
      start = lastTag;
      element = { name, line: parser.line, fields: {}, isCut: false, error: null };
    }
    element.isCut ||= lastTag - start > MAX_ROW;
    const fields = nodes.length === 0 ? element.fields : {};
    nodes.push({ fields, text: '' });
    if (element.isCut) return;
    for (const [attribute, value] of Object.entries(tag.attributes))
      put(fields, removePrefix(attribute), value);
  });
  parser.on('closetag', ({ name }) => {
    lastTag = parser.position;
    path.pop();
    const node = nodes.pop();
    const parent = nodes.at(-1);
    if (node === undefined || element === null) return;
    const { fields, text } = node;
    const ownText = fields.space === 'preserve' ? text : text.trim();
    if (parent === undefined) {
      elements.push(element);
      element = null;
    } else if (element.isCut) return;
    else if (Object.keys(fields).length === 0) put(parent.fields, removePrefix(name), ownText);
    else put(parent.fields, removePrefix(name), ownText === '' ? fields : { ...fields, text: ownText });
  });
  const addText = (text: string) => {
    const node = nodes.at(-1);
    if (node === undefined || element === null) return;
    element.isCut ||= parser.position - start > MAX_ROW;
    if (!element.isCut) node.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('error', ({ message }) => {
    if (element) element.error ??= message.slice(0, 120);
    else refuse('format_unreadable', `no sound XML (${message.slice(0, 160)}).`);
  });
  for await (const piece of pieces) {
    parser.write(piece);
    if (parser.position - lastTag > 2 * MAX_ROW) refuse('format_unreadable', 'a text or tag has no end.');
    yield elements.splice(0);
  }
  if (path.length > 0) throw new FeedFault('file_truncated', 'The file ends before its XML does.');
}

/** A name that comes twice makes a list. */
function put(fields: XmlElement['fields'], name: string, value: unknown) {
  if (name === '__proto__') return;
  const before = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (Array.isArray(before)) before.push(value);
  else fields[name] = before === undefined ? value : [before, value];
}
