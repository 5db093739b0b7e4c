import type { SaxesParser, SaxesTagPlain } from 'saxes';
import { isObject } from '../../../contract/is-object.ts';
import { FeedFault } from '../../../ports/feeds/feed-faults.ts';
import { type FileLimits, MAX_DEPTH } from '../limits.ts';
import { faulty, type Placed, type RowParser, tooManyValues } from '../rows.ts';
import { local, MAX_TREE_DEPTH, newParser, tooDeep } from './parser.ts';

/** Rows of XML: the repeated element. What its children and attributes are called are its columns. */

export interface XmlStart {
  /** Names of the elements around a row. */
  path: readonly string[];
  names: readonly string[];
  /** Rows to pass over. */
  skip: number;
}

/** An element being read. */
interface Node {
  name: string;
  values: Record<string, unknown>;
  text: string;
}

export function xmlRows(start: XmlStart, limits: FileLimits): RowParser {
  return new XmlRows(start, limits);
}

class XmlRows implements RowParser {
  readonly #start: XmlStart;
  readonly #limits: FileLimits;
  readonly #parser: SaxesParser;
  readonly #wanted: ReadonlySet<string>;
  /** Names of the elements around the row. */
  readonly #open: string[] = [];
  /** The elements of the row being read, outermost first; empty between rows. */
  readonly #nodes: Node[] = [];
  #placed: Placed[] = [];
  #passed = 0;
  /** Of the row being read. */
  #row = { line: 0, position: 0, values: 0, fault: null as ReturnType<typeof faulty> | null };
  /** Where something was last recognised: what is not for long is a text beyond all bounds. */
  #event = 0;
  #written = 0;

  constructor(start: XmlStart, limits: FileLimits) {
    this.#start = start;
    this.#limits = limits;
    this.#wanted = new Set(start.names);
    this.#parser = newParser(limits);
    this.#parser.on('opentag', (tag: SaxesTagPlain) => this.#openTag(tag));
    this.#parser.on('text', (text) => this.#addText(text));
    this.#parser.on('cdata', (text) => this.#addText(text));
    this.#parser.on('closetag', () => this.#closeTag());
    this.#parser.on('error', (error) => {
      if (this.#nodes.length === 0) throw unreadable(error);
      this.#row.fault ??= faulty('ROW_UNREADABLE', `It is no sound XML (${describe(error)}).`);
    });
  }

  push(text: string, last: boolean): Placed[] {
    this.#placed = [];
    if (text !== '') this.#parser.write(text);
    // Between two pieces the parser's own position is not to be trusted.
    this.#written += text.length;
    if (last) this.#close();
    else if (this.#written - this.#event > 4 * this.#limits.maxRow)
      throw new FeedFault('format_unreadable', `Line ${this.#parser.line}: a text or tag has no end.`);
    return this.#placed;
  }

  #openTag(tag: SaxesTagPlain): void {
    this.#event = this.#parser.position;
    const name = local(tag.name);
    if (this.#open.length + this.#nodes.length > MAX_TREE_DEPTH) throw tooDeep(this.#parser.line);
    if (this.#nodes.length === 0) {
      if (!this.#isRow(name)) {
        this.#open.push(name);
        return;
      }
      const { line, position } = this.#parser;
      this.#row = { line, position, values: 0, fault: null };
    }
    if (this.#nodes.length > MAX_DEPTH)
      this.#row.fault ??= faulty('ROW_UNREADABLE', `It is nested deeper than ${MAX_DEPTH} levels.`);
    const node: Node = { name, values: {}, text: '' };
    const attributes = Object.entries(tag.attributes);
    this.#row.values += 1 + attributes.length;
    if (this.#hasRoom())
      for (const [attribute, value] of attributes)
        put(node, local(attribute), this.#bounded(attribute, value));
    this.#nodes.push(node);
  }

  #closeTag(): void {
    this.#event = this.#parser.position;
    const node = this.#nodes.pop();
    if (!node) {
      this.#open.pop();
      return;
    }
    const parent = this.#nodes.at(-1);
    const hasRoom = this.#hasRoom();
    if (!parent) this.#endRow(node);
    else if (hasRoom) put(parent, node.name, toContent(node));
  }

  #isRow(name: string): boolean {
    const { path } = this.#start;
    return (
      this.#open.length === path.length &&
      this.#wanted.has(name) &&
      this.#open.every((each, index) => each === path[index])
    );
  }

  /** False for rows to pass over, and once a row is larger than rows may be, or too deep. */
  #hasRoom(): boolean {
    const { maxRow, maxValues } = this.#limits;
    if (this.#passed < this.#start.skip || this.#nodes.length > MAX_DEPTH) return false;
    const isLong = this.#parser.position - this.#row.position > maxRow;
    if (isLong) this.#row.fault ??= faulty('ROW_TOO_LARGE', 'The row is too long.');
    else if (this.#row.values > maxValues) this.#row.fault ??= tooManyValues(maxValues);
    else return true;
    return false;
  }

  #endRow(node: Node): void {
    this.#passed += 1;
    if (this.#passed <= this.#start.skip) return;
    const value = toContent(node);
    const fields = isObject(value) ? { ...value } : {};
    const { line, position, values, fault } = this.#row;
    const length = this.#parser.position - position;
    this.#placed.push({ row: { line, fields, fault }, at: 0, line: this.#parser.line, length, values });
  }

  #addText(text: string): void {
    this.#event = this.#parser.position;
    const node = this.#nodes.at(-1);
    if (node && this.#hasRoom()) node.text += this.#bounded(node.name, text);
  }

  #bounded(name: string, value: string): string {
    if (value.length <= this.#limits.maxCell) return value;
    this.#row.fault ??= faulty('ROW_TOO_LARGE', `The value of ${name.slice(0, 80)} is too long.`);
    return '';
  }

  #close(): void {
    if (this.#nodes.length > 0 || this.#open.length > 0)
      throw new FeedFault('file_truncated', `Line ${this.#parser.line}: the file ends before its XML does.`);
    this.#parser.close();
  }
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

function describe(error: Error): string {
  return error.message
    .replace(/^(?:\d+:\d+: |undefined)/, '')
    .slice(0, 120)
    .replace(/\.$/, '');
}

function unreadable(error: Error): FeedFault {
  return new FeedFault('format_unreadable', `The XML cannot be read: ${error.message.slice(0, 160)}`);
}
