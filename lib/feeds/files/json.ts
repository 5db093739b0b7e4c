import { isObject } from '../../contract/is-object.ts';
import { FeedFault } from '../feed-faults.ts';
import type { FeedRow } from '../feed-file.ts';
import { type FileLimits, MAX_DEPTH, MAX_TREE_DEPTH } from './limits.ts';
import { type Line, readLines } from './lines.ts';
import { faulty, tooLongValue, tooManyValues } from './rows.ts';

/** Objects of a JSON document, read in one go; their lines are their numbers in the list. */
export async function* jsonRows(
  pieces: AsyncIterable<string>,
  limits: FileLimits,
): AsyncGenerator<FeedRow[]> {
  const list = findList(parseDocument(await gather(pieces, limits), limits));
  for (let from = 0; from < list.length; from += 500)
    yield list
      .slice(from, from + 500)
      .map((value, index) => toRow(value, JSON.stringify(value), from + index + 1, limits));
}

async function gather(pieces: AsyncIterable<string>, { maxDocument }: FileLimits): Promise<string> {
  const gathered: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    gathered.push(piece);
    length += piece.length;
    if (length > maxDocument)
      throw new FeedFault('json_too_large', `The JSON has more than ${maxDocument} characters.`);
  }
  return gathered.join('');
}

function parseDocument(text: string, { maxDocumentValues }: FileLimits): unknown {
  const { depth, values } = measure(text);
  if (depth > MAX_TREE_DEPTH)
    throw new FeedFault('nested_too_deep', `The JSON is nested deeper than ${MAX_TREE_DEPTH} levels.`);
  if (values > maxDocumentValues)
    throw new FeedFault('json_too_large', `The JSON has more than ${maxDocumentValues} values.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const place = Number(/at position (\d+)/.exec(message)?.[1]);
    if (/end of JSON|Unterminated/.test(message) || place >= text.trimEnd().length)
      throw new FeedFault('file_truncated', 'The file ends before its JSON does.');
    throw new FeedFault('format_unreadable', `The file is no valid JSON: ${message.slice(0, 160)}.`);
  }
}

/** Levels, and values of lists and objects, by the characters between them. */
function measure(text: string): { depth: number; values: number } {
  let [depth, deepest, values] = [0, 0, 1];
  for (let at = 0; at < text.length; at++) {
    const mark = text[at] ?? '';
    if (mark === '"') {
      for (at += 1; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at += 1;
    } else if (mark === '{' || mark === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
      values += 1;
    } else if (mark === '}' || mark === ']') depth -= 1;
    else if (mark === ',') values += 1;
  }
  return { depth: deepest, values };
}

/** The list at the root, or the one with most objects that only objects surround. */
function findList(root: unknown): unknown[] {
  let best: unknown[] | null = null;
  let most = -1;
  const look = (value: unknown) => {
    if (Array.isArray(value)) {
      const objects = value.filter(isObject).length;
      if (objects > most && (objects > 0 || value.length === 0)) [best, most] = [value, objects];
    } else if (isObject(value)) Object.values(value).forEach(look);
  };
  if (Array.isArray(root)) return root;
  look(root);
  if (best === null) throw new FeedFault('format_unreadable', 'The JSON holds no list of objects.');
  return best;
}

/** One object a line. */
export async function* jsonLines(
  pieces: AsyncIterable<string>,
  limits: FileLimits,
): AsyncGenerator<FeedRow[]> {
  for await (const lines of readLines(pieces, limits.maxRow))
    yield lines.filter(({ text }) => text.trim() !== '').map((line) => parseLine(line, limits));
}

function parseLine({ text, no, isCut, isUnended }: Line, limits: FileLimits): FeedRow {
  if (isCut) return unreadable(no, 'ROW_TOO_LARGE', 'The line is too long.');
  try {
    return toRow(JSON.parse(text), text, no, limits);
  } catch {
    if (isUnended)
      throw new FeedFault('file_truncated', `Line ${no}: the file ends in the middle of an object.`);
    return unreadable(no, 'ROW_UNREADABLE', 'It is no valid JSON.');
  }
}

const unreadable = (line: number, ...fault: Parameters<typeof faulty>): FeedRow => ({
  line,
  fields: null,
  fault: faulty(...fault),
});

/** `text`: of the value. */
function toRow(value: unknown, text: string, line: number, { maxCell, maxValues }: FileLimits): FeedRow {
  if (!isObject(value) || Array.isArray(value))
    return unreadable(line, 'ROW_UNREADABLE', 'It is no JSON object.');
  const { depth, values } = measure(text);
  if (depth > MAX_DEPTH)
    return unreadable(line, 'ROW_UNREADABLE', `It is nested deeper than ${MAX_DEPTH} levels.`);
  let fault = values > maxValues ? tooManyValues(maxValues) : null;
  // Enough to tell which truck it is about: a truck that is in the file is not gone.
  const members = Object.entries(value).filter(([, member]) => fault === null || typeof member !== 'object');
  const fields: Record<string, unknown> = {};
  for (const [name, member] of members.slice(0, maxValues))
    if (typeof member === 'string' && member.length > maxCell) fault ??= tooLongValue(name);
    else if (name !== '__proto__') fields[name] = member;
  return { line, fields, fault };
}
