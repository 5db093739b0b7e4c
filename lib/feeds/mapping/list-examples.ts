import { cut } from '../../truck/text/text.ts';
import type { FeedRow } from '../feed-file.ts';
import type { FeedPlan } from './feed-mapping.ts';
import { flatten } from './flatten-row.ts';

const MAX_EXAMPLES = 3;

/** Some values of each column of a plan, by the first rows. */
export function listExamples({ columns }: FeedPlan, rows: readonly FeedRow[]) {
  const cells = rows.map(({ fields }) => flatten(fields ?? {}));
  return columns.map(({ column }) =>
    cells
      .map((row) => row.get(column))
      .filter((value) => value != null && value !== '')
      .slice(0, MAX_EXAMPLES)
      .map(shorten),
  );
}

const MAX_TEXT = 300;
const MAX_ITEMS = 20;

/** A value as people are shown it. */
export const shorten = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value, (_, part) => {
      if (typeof part === 'string' && part.length > MAX_TEXT) return `${cut(part, MAX_TEXT)}…`;
      return Array.isArray(part) ? part.slice(0, MAX_ITEMS) : part;
    }),
  );
