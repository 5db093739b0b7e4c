import { FeedFault } from '../../../ports/feeds/feed-faults.ts';
import type { FeedPosition } from '../../../ports/feeds/feed-files.ts';
import { MAX_DEPTH } from '../limits.ts';
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  closes,
  isSpace,
  LINE_FEED,
  OPEN_LIST,
  OPEN_OBJECT,
  opens,
  QUOTE,
  type Start,
} from './characters.ts';

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
export async function findList(
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
