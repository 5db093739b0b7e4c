import { isObject } from '../../truck/is-object.ts';
import { FeedFault } from '../feed-faults.ts';
import type { FeedRow } from '../feed-file.ts';
import { columnField } from '../mapping/columns.ts';
import { type Line, readLines } from './lines.ts';
import { MAX_DEPTH, MAX_ROW, MAX_VALUES, TOO_LARGE, toRow } from './rows.ts';

/** The largest JSON document, which is parsed in one go. */
const MAX_DOCUMENT = 64 * 1024 * 1024;
const MAX_DOCUMENT_VALUES = 4_000_000;

/** Objects of a JSON document; their lines are their numbers in the list. */
export async function* jsonRows(pieces: AsyncIterable<string>): AsyncGenerator<FeedRow[]> {
  const list = findList(parseDocument(await gather(pieces)));
  for (const [index, value] of list.entries()) yield [toRow(value, index + 1)];
}

async function gather(pieces: AsyncIterable<string>) {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length > MAX_DOCUMENT)
      throw new FeedFault('json_too_large', `The JSON has more than ${MAX_DOCUMENT} characters.`);
  }
  return text;
}

function parseDocument(text: string): unknown {
  const separator = /[[{,]/g;
  for (let values = 0; separator.test(text); values++)
    if (values >= MAX_DOCUMENT_VALUES)
      throw new FeedFault('json_too_large', `The JSON has more than ${MAX_DOCUMENT_VALUES} values.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    if (/Unexpected end/.test(String(error)) || Number(position) >= text.length)
      throw new FeedFault('file_truncated', 'The file ends before its JSON does.');
    throw new FeedFault('format_unreadable', `The file is no valid JSON: ${String(error).slice(0, 160)}.`);
  }
}

/** The list with most objects that only objects surround; an object with a VIN is alone. */
function findList(root: unknown): unknown[] {
  const names = isObject(root) ? Object.keys(root).slice(0, MAX_VALUES) : [];
  if (names.some((name) => columnField(name) === 'vin')) return [root];
  const [best] = findLists(root, 0)
    .map((list) => ({ list, objects: list.filter(isObject).length }))
    .filter(({ list, objects }) => objects > 0 || list.length === 0)
    .sort((one, other) => other.objects - one.objects);
  if (!best) throw new FeedFault('format_unreadable', 'The JSON holds no list of objects.');
  return best.list;
}

function findLists(value: unknown, depth: number): unknown[][] {
  if (Array.isArray(value)) return [value];
  if (!isObject(value) || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((inner) => findLists(inner, depth + 1));
}

/** One object a line. */
export async function* jsonLines(pieces: AsyncIterable<string>): AsyncGenerator<FeedRow[]> {
  for await (const lines of readLines(pieces))
    yield lines.filter(({ text }) => text.trim() !== '').map(parseLine);
}

function parseLine({ text, no, isUnended }: Line): FeedRow {
  if (text.length > MAX_ROW) return { line: no, fields: null, fault: TOO_LARGE };
  try {
    return toRow(JSON.parse(text), no);
  } catch {
    if (isUnended)
      throw new FeedFault('file_truncated', `Line ${no}: the file ends in the middle of an object.`);
    return toRow(null, no);
  }
}
