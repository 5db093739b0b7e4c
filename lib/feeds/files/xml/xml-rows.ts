import type { SaxesParser } from 'saxes';
import { isObject } from '../../../contract/is-object.ts';
import { FeedFault } from '../../feed-faults.ts';
import type { FeedRow } from '../../feed-file.ts';
import { type FileLimits, MAX_DEPTH } from '../limits.ts';
import { faulty, tooLongValue, tooManyValues } from '../rows.ts';
import { findRows } from './find-rows.ts';
import { local, type XmlReader, xmlParser } from './parser.ts';

/** Rows of XML: the repeated element. What its children and attributes are called are its columns. */
export async function* xmlRows(
  { head, pieces }: { head: string; pieces: AsyncIterable<string> },
  limits: FileLimits,
): AsyncGenerator<FeedRow[]> {
  const paths = findRows(head, limits);
  const state: State = { rows: [], path: '', nodes: [] };
  const read = xmlParser((parser) => rowReader(parser, state, paths, limits), limits);
  for await (const piece of pieces) {
    read(piece);
    yield state.rows;
    state.rows = [];
  }
  if (state.nodes.length > 0 || state.path !== '')
    throw new FeedFault('file_truncated', 'The file ends before its XML does.');
}

interface State {
  /** Those that are complete. */
  rows: FeedRow[];
  /** Names of the elements around the row. */
  path: string;
  /** The elements of the row being read, outermost first; empty between rows. */
  nodes: Node[];
}

interface Node {
  name: string;
  values: Record<string, unknown>;
  text: string;
}

function rowReader(
  parser: SaxesParser,
  state: State,
  paths: ReadonlySet<string>,
  { maxCell, maxRow, maxValues }: FileLimits,
): XmlReader {
  const { nodes } = state;
  /** The row being read. */
  let start = { line: 0, position: 0 };
  let values = 0;
  let fault: FeedRow['fault'] = null;

  /** False once a row is larger than rows may be, or too deep. */
  function hasRoom(): boolean {
    if (nodes.length > MAX_DEPTH)
      fault ??= faulty('ROW_UNREADABLE', `It is nested deeper than ${MAX_DEPTH} levels.`);
    else if (parser.position - start.position > maxRow)
      fault ??= faulty('ROW_TOO_LARGE', 'The row is too long.');
    else if (values > maxValues) fault ??= tooManyValues(maxValues);
    else return true;
    return false;
  }

  function bounded(name: string, value: string): string {
    if (value.length <= maxCell) return value;
    fault ??= tooLongValue(name);
    return '';
  }

  return {
    open(name, attributes) {
      if (nodes.length === 0) {
        const path = `${state.path}/${name}`;
        if (!paths.has(path)) {
          state.path = path;
          return;
        }
        start = { line: parser.line, position: parser.position };
        values = 0;
        fault = null;
      }
      const node: Node = { name, values: {}, text: '' };
      const named = Object.entries(attributes);
      values += 1 + named.length;
      if (hasRoom())
        for (const [attribute, value] of named) put(node, local(attribute), bounded(attribute, value));
      nodes.push(node);
    },
    text(text) {
      const node = nodes.at(-1);
      if (node && hasRoom()) node.text += bounded(node.name, text);
    },
    close() {
      const node = nodes.pop();
      if (!node) {
        state.path = state.path.slice(0, state.path.lastIndexOf('/'));
        return;
      }
      const parent = nodes.at(-1);
      const isRoom = hasRoom();
      if (parent && isRoom) put(parent, node.name, toContent(node));
      if (parent) return;
      const value = toContent(node);
      state.rows.push({ line: start.line, fields: isObject(value) ? { ...value } : {}, fault });
    },
    error(error) {
      if (nodes.length === 0)
        throw new FeedFault('format_unreadable', `The XML cannot be read: ${error.message.slice(0, 160)}`);
      const what = error.message.replace(/^(?:\d+:\d+: |undefined)/, '').slice(0, 120);
      fault ??= faulty('ROW_UNREADABLE', `It is no sound XML (${what.replace(/\.$/, '')}).`);
    },
  };
}

/** A name that comes twice makes a list. */
function put({ values }: Node, name: string, value: unknown): void {
  if (name === '__proto__') return;
  const before = Object.hasOwn(values, name) ? values[name] : undefined;
  if (before === undefined) values[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else values[name] = [before, value];
}

const PHOTOS = /^(?:image|photo|picture|pic)$/i;
const LIST_ITEMS = /^(?:image|photo|picture|pic|url|feature|option|equipment|item)(?:_?url)?$/i;

/** Text, or an object of what it has inside; an element that only lists others is that list. */
function toContent({ values, text }: Node): unknown {
  const names = Object.keys(values);
  const own = text.trim();
  if (names.length === 0) return own;
  const [only = ''] = names;
  if (names.length === 1 && own === '') {
    const items = values[only];
    if (Array.isArray(items)) return items;
    if (typeof items === 'string' ? LIST_ITEMS.test(only) : PHOTOS.test(only)) return [items];
  }
  return own === '' ? values : { ...values, text: own };
}
