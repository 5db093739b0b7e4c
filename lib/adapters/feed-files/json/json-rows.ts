import { FeedFault } from '../../../ports/feeds/feed-faults.ts';
import type { FeedRow } from '../../../ports/feeds/feed-files.ts';
import { type FileLimits, MAX_DEPTH } from '../limits.ts';
import { faulty, type Placed, type RowParser, tooManyValues } from '../rows.ts';
import {
  BACKSLASH,
  CLOSE_LIST,
  COMMA,
  closes,
  isSpace,
  LINE_FEED,
  opens,
  QUOTE,
  type Start,
} from './characters.ts';

/**
 * Rows of JSON. Only the ends of elements are looked for here; each element is then read by JSON.parse on its own, so
 * that one that is no JSON spoils no other.
 */

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
