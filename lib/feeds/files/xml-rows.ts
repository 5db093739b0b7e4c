import { columnField } from '../../truck/columns/feed-columns.ts';
import { FeedFault } from '../feed-faults.ts';
import type { FeedRow } from '../feed-file.ts';
import type { DecodedText } from './decode.ts';
import { MAX_ROW, MAX_VALUES, TOO_LARGE } from './rows.ts';
import { local, readXml, type XmlReader } from './xml.ts';

/** Rows of XML. What their children and attributes are called are their columns. */
export async function* xmlRows({ head, pieces }: DecodedText): AsyncGenerator<FeedRow[]> {
  const rows: FeedRow[] = [];
  const reader = rowReader(await findRow(head), rows);
  for await (const _ of readXml(pieces, reader)) yield rows.splice(0);
}

const ROW_NAMES =
  /^(?:truck|trailer|vehicle|unit|listing|item|entry|row|record|product|car|ad|inventory_?item)$/i;

const isVin = (name: string) => columnField(local(name)) === 'vin';

/**
 * Of which name and how deep rows are: the outermost element around the first VIN that is not around the second; if the
 * beginning of the file has no more than one, the outermost that is called like a row.
 */
async function findRow(head: string) {
  const open: { name: string }[] = [];
  const vins: (typeof open)[] = [];
  let called: typeof open = [];
  const reader: XmlReader = {
    open(name, attributes) {
      const outer = [...open];
      open.push({ name });
      if (isVin(name)) vins.push(outer);
      else if (Object.keys(attributes).some(isVin)) vins.push([...open]);
      else if (called.length === 0 && outer.length > 0 && ROW_NAMES.test(name)) called = [...open];
    },
    close: () => void open.pop(),
    bears: () => true,
  };
  for await (const _ of readXml([head], reader)) break;
  const [first = called, second] = vins;
  const index = first.findIndex((element, at) =>
    second ? element !== second[at] : at > 0 && ROW_NAMES.test(element.name),
  );
  const row = first.at(index);
  if (!row) throw new FeedFault('format_unreadable', 'The XML has no element that could be a truck.');
  return { name: row.name, depth: first.indexOf(row) + 1 };
}

interface Node {
  name: string;
  values: Record<string, unknown>;
  text: string;
}

/** Rows are elements as deep as the first that have its name or a VIN. */
function rowReader(first: Awaited<ReturnType<typeof findRow>>, rows: FeedRow[]): XmlReader {
  let depth = 0;
  /** The elements of the row being read, outermost first; empty between rows. */
  const nodes: Node[] = [];
  let row: FeedRow = { line: 0, fields: null, fault: null };
  let isRow = false;
  let [values, length] = [0, 0];

  /** False once a row is larger than rows may be. */
  function hasRoom(): boolean {
    const isRoom = values <= MAX_VALUES && length <= MAX_ROW;
    if (!isRoom) row.fault ??= TOO_LARGE;
    return isRoom;
  }

  return {
    open(name, attributes, line) {
      depth += 1;
      if (depth < first.depth) return;
      const node: Node = { name, values: {}, text: '' };
      if (depth === first.depth) {
        row = { line, fields: node.values, fault: null };
        isRow = name === first.name;
        [values, length] = [0, 0];
      }
      nodes.push(node);
      const named = Object.entries(attributes);
      isRow ||= [name, ...Object.keys(attributes)].some(isVin);
      values += 1 + named.length;
      length += [name, ...named.flat()].join('').length;
      if (hasRoom()) for (const [attribute, value] of named) put(node, local(attribute), value);
    },
    text(text) {
      const node = nodes.at(-1);
      length += text.length;
      if (node && hasRoom()) node.text += text;
    },
    close() {
      depth -= 1;
      const node = nodes.pop();
      const parent = nodes.at(-1);
      if (node && parent && hasRoom()) put(parent, node.name, toContent(node));
      else if (node && !parent && isRow) rows.push(row);
    },
    bears({ message }) {
      row.fault ??= { code: 'ROW_UNREADABLE', message: `It is no sound XML (${message.slice(0, 120)}).` };
      return nodes.length > 0;
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

const LIST_ITEMS = /^(?:image|photo|picture|pic|url|feature|option|equipment|item)(?:_?url)?$/i;

/** Text, or an object of what it has inside; an element that only lists others is that list. */
function toContent({ values, text }: Node): unknown {
  const own = text.trim();
  const [only, ...others] = Object.keys(values);
  if (only === undefined) return own;
  if (own !== '') return { ...values, text: own };
  const isList = others.length === 0 && (Array.isArray(values[only]) || LIST_ITEMS.test(only));
  return isList ? [values[only]].flat() : values;
}
