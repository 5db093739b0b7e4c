import type { SaxesAttributePlain, SaxesTagPlain } from 'saxes';
import { columnField } from '../../../domain/feed/feed-columns.ts';
import { FeedFault } from '../../../ports/feeds/feed-faults.ts';
import type { FeedPosition } from '../../../ports/feeds/feed-files.ts';
import type { FileLimits } from '../limits.ts';
import { local, MAX_TREE_DEPTH, newParser, tooDeep } from './parser.ts';

const ROW_NAMES =
  /^(?:truck|trailer|vehicle|unit|listing|item|entry|row|record|product|car|ad|inventory_?item)$/i;

interface Seen {
  key: string;
  path: string[];
  name: string;
  count: number;
  /** Elements or attributes inside. */
  children: number;
  vins: number;
}

/** Which elements are rows, by the beginning of the file: those with a VIN in them, else those that repeat. */
export function findRows(beginning: string, whole: boolean, limits: FileLimits): FeedPosition['head'] {
  const seen = survey(beginning, whole, limits);
  const inner = seen
    .filter(({ path }) => path.length > 0)
    .sort((one, other) => one.path.length - other.path.length || other.count - one.count);
  // Whatever surrounds the rows holds the VINs of all of them.
  const withVin = inner.filter(({ vins, count }) => vins > 0 && vins <= count);
  const rows =
    withVin.find(({ name }) => ROW_NAMES.test(name)) ??
    withVin.find(({ children, count }) => children >= 3 * count) ??
    withVin.at(-1) ??
    inner.find(({ children, count, name }) => children > 0 && (count > 1 || ROW_NAMES.test(name)));
  if (!rows)
    throw new FeedFault('format_unreadable', 'The XML has no repeated element that could be a truck.');
  const beside = seen.filter(
    ({ path, name, vins }) =>
      path.join('/') === rows.path.join('/') && (name === rows.name || vins > 0 || ROW_NAMES.test(name)),
  );
  return { path: rows.path, names: beside.map(({ name }) => name) };
}

/** Of different kinds of elements no more are counted. */
const MAX_KINDS = 1_000;

function survey(beginning: string, whole: boolean, limits: FileLimits): Seen[] {
  const parser = newParser(limits);
  const seen = new Map<string, Seen>();
  const open: Seen[] = [];
  const vinInside = () => {
    for (const each of open) each.vins += 1;
  };
  parser.on('opentag', (tag: SaxesTagPlain) => {
    if (open.length > MAX_TREE_DEPTH) throw tooDeep(parser.line);
    const parent = open.at(-1);
    const name = local(tag.name);
    const key = `${parent?.key ?? ''}/${name}`;
    const entry = seen.get(key) ?? {
      key,
      path: parent ? [...parent.path, parent.name] : [],
      name,
      count: 0,
      children: 0,
      vins: 0,
    };
    if (seen.size < MAX_KINDS) seen.set(key, entry);
    entry.count += 1;
    if (parent) parent.children += 1;
    if (columnField(name) === 'vin') vinInside();
    open.push(entry);
    const attributes: Record<string, SaxesAttributePlain | string> = tag.attributes;
    for (const attribute of Object.keys(attributes)) {
      entry.children += 1;
      if (columnField(local(attribute)) === 'vin') vinInside();
    }
  });
  parser.on('closetag', () => void open.pop());
  // Faults are reported where rows are read.
  parser.on('error', () => undefined);
  parser.write(beginning);
  if (whole) parser.close();
  return [...seen.values()];
}
