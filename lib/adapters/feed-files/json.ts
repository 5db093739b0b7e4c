import { FeedFault } from '../../ports/feeds/feed-faults.ts';
import type { FeedPosition, FeedRow } from '../../ports/feeds/feed-files.ts';
import { type FileLimits, MAX_DEPTH } from './limits.ts';
import { faulty, type Placed, type RowParser, tooManyValues } from './rows.ts';

/**
 * Rows of JSON. Only the ends of elements are looked for here; each element is then read by JSON.parse on its own, so
 * that one that is no JSON spoils no other.
 */

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const LINE_FEED = 10;

const opens = (code: number) => code === OPEN_OBJECT || code === OPEN_LIST;
const closes = (code: number) => code === CLOSE_OBJECT || code === CLOSE_LIST;
const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13) || code === 0xfeff;

interface Start {
  at: number;
  line: number;
}

/** Elements of the list whose inside starts at `start`. */
export function jsonRows(start: Start, limits: FileLimits): RowParser {
  let text = '';
  let base = start.at;
  let { line } = start;
  /** Where scanning goes on, and where the element begun starts; -1: none has. Both in `text`. */
  let scan = 0;
  let from = -1;
  let fromLine = line;
  let depth = 0;
  let inText = false;
  let escaped = false;
  let oversize = false;
  let done = false;

  return {
    push(more, last) {
      if (done) return [];
      text += more;
      const placed: Placed[] = [];
      while (scan < text.length && !done) step(placed);
      if (done) text = '';
      else if (last)
        throw new FeedFault('file_truncated', `Line ${line}: the file ends before its list does.`);
      else keepOnlyTheElement();
      return placed;
    },
  };

  function step(placed: Placed[]): void {
    const code = text.charCodeAt(scan);
    if (code === LINE_FEED) line += 1;
    if (inText) {
      if (escaped) escaped = false;
      else if (code === BACKSLASH) escaped = true;
      else if (code === QUOTE) inText = false;
    } else if (depth === 0 && (code === COMMA || code === CLOSE_LIST)) {
      if (from !== -1) placed.push({ ...readRow(), at: base + scan, line });
      from = -1;
      done = code === CLOSE_LIST;
    } else if (!isSpace(code)) {
      if (from === -1) begin();
      if (code === QUOTE) inText = true;
      else if (opens(code)) depth += 1;
      else if (closes(code)) depth -= 1;
      if (depth < 0)
        throw new FeedFault('format_unreadable', `Line ${line}: a brace closes what none has opened.`);
    }
    scan += 1;
  }

  function begin(): void {
    from = scan;
    fromLine = line;
    oversize = false;
  }

  function readRow(): ReadRow {
    if (oversize || scan - from > limits.maxRow)
      return unreadable(fromLine, faulty('ROW_TOO_LARGE', 'The element is too long.'));
    return readObject(text.slice(from, scan), fromLine, limits);
  }

  function keepOnlyTheElement(): void {
    if (from !== -1 && text.length - from > limits.maxRow) oversize = true;
    const cut = from === -1 || oversize ? text.length : from;
    if (from !== -1) from = 0;
    base += cut;
    scan = text.length - cut;
    text = text.slice(cut);
  }
}

/** One object a line. */
export function jsonLines(start: Start, limits: FileLimits): RowParser {
  let text = '';
  let base = start.at;
  let { line } = start;
  let oversize = false;

  return {
    push(more, last) {
      text += more;
      const placed: Placed[] = [];
      let from = 0;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
        take(text.slice(from, end), end + 1, placed);
        from = end + 1;
      }
      if (last) {
        const rest = text.slice(from);
        if (rest.trim() !== '' && !oversize && !isJson(rest))
          throw new FeedFault('file_truncated', `Line ${line}: the file ends in the middle of an object.`);
        take(rest, text.length, placed);
        from = text.length;
      }
      if (text.length - from > limits.maxRow) oversize = true;
      if (oversize) from = text.length;
      base += from;
      text = text.slice(from);
      return placed;
    },
  };

  function take(row: string, next: number, placed: Placed[]): void {
    if (oversize || row.trim() !== '') {
      const read =
        oversize || row.length > limits.maxRow
          ? unreadable(line, faulty('ROW_TOO_LARGE', 'The line is too long.'))
          : readObject(row, line, limits);
      placed.push({ ...read, at: base + next, line: line + 1 });
    }
    oversize = false;
    line += 1;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

type ReadRow = Pick<Placed, 'row' | 'length' | 'values'>;

function unreadable(line: number, fault: NonNullable<FeedRow['fault']>): ReadRow {
  return { row: { line, fields: null, fault }, length: 0, values: 1 };
}

function readObject(text: string, line: number, { maxCell, maxValues }: FileLimits): ReadRow {
  const { depth, values } = measure(text, maxValues);
  if (depth > MAX_DEPTH)
    return unreadable(line, faulty('ROW_UNREADABLE', `It is nested deeper than ${MAX_DEPTH} levels.`));
  const isTooMuch = values > maxValues;
  if (isTooMuch && text.length > maxCell) return unreadable(line, tooManyValues(maxValues));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable(line, faulty('ROW_UNREADABLE', 'It is no valid JSON.'));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return unreadable(line, faulty('ROW_UNREADABLE', 'It is no JSON object.'));
  if (isTooMuch) {
    // Enough to tell which truck it is about: a truck that is in the file is not gone.
    const plain = Object.entries(value).filter(([, member]) => typeof member !== 'object');
    const fields = Object.fromEntries(plain.slice(0, maxValues));
    return {
      row: { line, fields, fault: tooManyValues(maxValues) },
      length: text.length,
      values: plain.length,
    };
  }
  const fields = value as Record<string, unknown>;
  let fault: FeedRow['fault'] = null;
  if (text.length > maxCell)
    for (const [name, member] of Object.entries(fields)) {
      if (typeof member !== 'string' || member.length <= maxCell) continue;
      delete fields[name];
      fault ??= faulty('ROW_TOO_LARGE', `The value of ${name.slice(0, 80)} is too long.`);
    }
  return { row: { line, fields, fault }, length: text.length, values };
}

/** Looks at no more of the text than it takes to see that it is too much. */
function measure(text: string, maxValues: number): { depth: number; values: number } {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let inText = false;
  for (let at = 0; at < text.length && deepest <= MAX_DEPTH && values <= maxValues; at++) {
    const code = text.charCodeAt(at);
    if (inText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inText = false;
    } else if (code === QUOTE) inText = true;
    else if (code === COMMA) values += 1;
    else if (closes(code)) depth -= 1;
    else if (opens(code)) {
      values += 1;
      depth += 1;
      deepest = Math.max(deepest, depth);
    }
  }
  return { depth: deepest, values };
}

const LIST_NAMES =
  /^(?:vehicles?|inventor(?:y|ies)|listings?|items?|records?|trucks?|units?|data|results?|rows?|stock|products?|entries)$/i;

interface Candidate extends Start {
  path: string[];
  /** Elements of any kind, and those that are objects. */
  elements: number;
  objects: number;
}

/**
 * Where the rows are: the inside of the list at the root, or of the list with most objects that only objects surround.
 * `lines`: one object follows the other.
 */
export async function listPath(
  pieces: AsyncIterable<string>,
): Promise<Pick<FeedPosition, 'at' | 'line' | 'head'> | 'lines'> {
  const scanner = new ListScanner();
  for await (const piece of pieces) if (scanner.feed(piece)) break;
  const found = scanner.found();
  if (found === 'lines') return found;
  const { at, line, path } = found;
  return { at, line, head: { path } };
}

class ListScanner {
  /** Only the best so far: a file may have a list in every other byte. */
  #best: Candidate | null = null;
  /** The list that is being counted, and how deep in it. */
  #list: Candidate | null = null;
  #depth = 0;
  #filled = false;
  /** Keys of the objects that are open; '' for the root. */
  readonly #open: string[] = [];
  #base = 0;
  #line = 1;
  #inText = false;
  #escaped = false;
  #token = '';
  #key = '';
  #started = false;
  #rootIsList = false;
  #ended = false;
  /** What comes after the object at the root. */
  #behind = '';

  /** True when no more text is needed. */
  feed(text: string): boolean {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#ended) {
        if (this.#isDone()) break;
        if (!isSpace(code)) this.#behind = text[at] ?? '';
        continue;
      }
      if (code === LINE_FEED) this.#line += 1;
      if (this.#inText) this.#readText(code, text[at] ?? '');
      else this.#readStructure(code, this.#base + at);
    }
    this.#base += text.length;
    return this.#ended && this.#isDone();
  }

  found(): Candidate | 'lines' {
    if (this.#behind === '{') return 'lines';
    if (!this.#ended)
      throw new FeedFault('file_truncated', `Line ${this.#line}: the file ends before its JSON does.`);
    if (this.#best) return this.#best;
    throw new FeedFault('format_unreadable', 'The JSON holds no list of objects.');
  }

  #isDone(): boolean {
    return this.#rootIsList || this.#behind !== '';
  }

  #readText(code: number, letter: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (code === BACKSLASH) this.#escaped = true;
    else if (code === QUOTE) this.#inText = false;
    else if (this.#list === null && this.#token.length < 200) this.#token += letter;
  }

  #readStructure(code: number, at: number): void {
    if (this.#list) this.#readInList(this.#list, code);
    else this.#readOutside(code, at);
    if (code !== QUOTE) return;
    this.#inText = true;
    this.#token = '';
  }

  #readOutside(code: number, at: number): void {
    if (code === COLON) this.#key = this.#token;
    else if (code === OPEN_OBJECT) {
      this.#open.push(this.#started ? this.#key : '');
      if (this.#open.length > MAX_DEPTH) throw tooDeep(this.#line);
      this.#started = true;
    } else if (code === CLOSE_OBJECT) {
      this.#open.pop();
      this.#ended = this.#open.length === 0;
    } else if (code === OPEN_LIST) this.#openList(at);
    else if (!this.#started && !isSpace(code))
      throw new FeedFault(
        'format_unreadable',
        `Line ${this.#line}: the file does not start with a list or an object.`,
      );
  }

  #openList(at: number): void {
    const path = this.#started ? [...this.#open.slice(1), this.#key] : [];
    this.#list = { path, at: at + 1, line: this.#line, elements: 0, objects: 0 };
    this.#rootIsList = !this.#started;
    if (this.#rootIsList) this.#best = this.#list;
    this.#ended = this.#rootIsList;
    this.#started = true;
    this.#filled = false;
  }

  #readInList(list: Candidate, code: number): void {
    if (this.#depth === 0 && code === CLOSE_LIST) {
      if (this.#best === null || isBetter(list, this.#best))
        this.#best = mayHoldRows(list) ? list : this.#best;
      this.#list = null;
      return;
    }
    if (this.#depth === 0 && !this.#filled && !isSpace(code)) {
      this.#filled = true;
      list.elements += 1;
      if (code === OPEN_OBJECT) list.objects += 1;
    }
    if (this.#depth === 0 && code === COMMA) this.#filled = false;
    if (opens(code)) this.#depth += 1;
    else if (closes(code)) this.#depth -= 1;
  }
}

function mayHoldRows({ elements, objects, path }: Candidate): boolean {
  return objects > 0 || (elements === 0 && LIST_NAMES.test(path.at(-1) ?? ''));
}

const isBetter = (one: Candidate, other: Candidate) => one.objects > other.objects;

function tooDeep(line: number): FeedFault {
  return new FeedFault('nested_too_deep', `Line ${line}: nested deeper than ${MAX_DEPTH} levels.`);
}
