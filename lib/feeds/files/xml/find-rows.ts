import { columnField } from '../../../domain/columns/feed-columns.ts';
import { FeedFault } from '../../feed-faults.ts';
import type { FileLimits } from '../limits.ts';
import { local, xmlParser } from './parser.ts';

const ROW_NAMES =
  /^(?:truck|trailer|vehicle|unit|listing|item|entry|row|record|product|car|ad|inventory_?item)$/i;

/** A kind of element. */
interface Seen {
  /** Names from the root on. */
  path: string;
  parent: string;
  name: string;
  depth: number;
  count: number;
  /** Elements or attributes inside. */
  children: number;
  vins: number;
}

/** Which elements are rows, by the beginning of the file: those with a VIN in them, else those that repeat. */
export function findRows(head: string, limits: FileLimits): ReadonlySet<string> {
  const seen = survey(head, limits);
  const inner = seen
    .filter(({ depth }) => depth > 1)
    .sort((one, other) => one.depth - other.depth || other.count - one.count);
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
    ({ parent, vins, name }) => parent === rows.parent && (vins > 0 || ROW_NAMES.test(name)),
  );
  return new Set([rows, ...beside].map(({ path }) => path));
}

/** Of different kinds of elements no more are counted. */
const MAX_KINDS = 1_000;

function survey(head: string, limits: FileLimits): Seen[] {
  const seen = new Map<string, Seen>();
  const open: Seen[] = [];
  const noteVin = (name: string) => {
    if (columnField(local(name)) === 'vin') for (const each of open) each.vins += 1;
  };
  const read = xmlParser(
    () => ({
      open(name, attributes) {
        const outer = open.at(-1);
        const parent = outer?.path ?? '';
        const path = `${parent}/${name}`;
        const entry = seen.get(path) ?? {
          path,
          parent,
          name,
          depth: open.length + 1,
          count: 0,
          children: 0,
          vins: 0,
        };
        if (seen.size < MAX_KINDS) seen.set(path, entry);
        const names = Object.keys(attributes);
        entry.count += 1;
        entry.children += names.length;
        if (outer) outer.children += 1;
        noteVin(name);
        open.push(entry);
        names.forEach(noteVin);
      },
      close: () => void open.pop(),
      // Faults are reported where rows are read.
      error: () => undefined,
    }),
    limits,
  );
  read(head);
  return [...seen.values()];
}
