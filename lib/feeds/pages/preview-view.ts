import { html } from 'hono/html';
import * as z from 'zod/mini';
import { describeFix } from '../../dashboard/parts/reject-reasons.ts';
import { numeric, table } from '../../dashboard/parts/table.ts';
import { count, number } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import { entryFor, labelFor, RECORD, typedKeys } from '../../truck/record/record.ts';
import type { FeedReject } from '../feed.ts';
import type { previewFeed } from '../preview/preview-feed.ts';

/** The part of a form that shows how a file is read, and in which a dealer says what its columns are. */

type Preview = Awaited<ReturnType<typeof previewFeed>>;
type Column = Preview['columns'][number];
type Mapping = Readonly<Record<string, string | null>>;

/** How a file is read, what would become of its first rows, and what its columns are: the head of its form. */
export const previewView = ({ format, verdict, columns }: Preview, mapping: Mapping): Html =>
  html`<h2>${count(verdict.accepted, 'truck')} would be listed, ${number(verdict.rejected)} rejected</h2>
<p>Read as ${format.toUpperCase()}, ${verdict.complete ? 'the whole file' : `the first ${count(verdict.rows, 'row')}`}. Nothing is stored yet.</p>
${verdict.rows === 0 ? NO_ROWS : ''}${rejectTable(verdict.results.filter((result) => result.outcome === 'rejected'))}${columnTable(columns, mapping)}`;

export const NO_ROWS = html`<p class="warn">The file has no rows of trucks. Under the names of the columns each truck takes one.</p>`;

export function rejectTable(rows: readonly FeedReject[]): Html | string {
  if (rows.length === 0) return '';
  return table(
    'Rejected rows',
    [numeric('Line'), 'VIN', 'Field', 'What to change'],
    rows.map(({ line, vin, code, field, fix }) => [
      number(line),
      html`<code>${vin ?? 'none'}</code>`,
      field === null ? '' : labelFor(field),
      describeFix(code, fix),
    ]),
  );
}

/** Both lists go line by line. */
const Texts = z.optional(z.array(z.string()));
export const ColumnFields = { columns: Texts, targets: Texts };

const GUESSED = 'guess';
const NOT_READ = 'none';

interface Chosen {
  columns?: readonly string[] | undefined;
  targets?: readonly string[] | undefined;
}

/** Of the columns that are not read as they are recognized. */
export const toMapping = ({ columns = [], targets = [] }: Chosen): Record<string, string | null> =>
  Object.fromEntries(
    columns.flatMap((column, at) => {
      const target = targets[at] ?? GUESSED;
      return target === GUESSED ? [] : [[column, target === NOT_READ ? null : target]];
    }),
  );

/** Whose a truck is cannot be guessed from a column's name, but said. */
const TARGETS = typedKeys(RECORD)
  .filter((name) => name === 'dealer' || (name !== 'attributes' && entryFor(name).columns !== false))
  .map((name) => [name as string, labelFor(name)] as const)
  .sort(([, one], [, other]) => one.localeCompare(other));

/** A choice for each column of the file, and for those that were chosen before. */
export function columnTable(read: readonly Column[], mapping: Mapping): Html | string {
  const unread = Object.keys(mapping).filter((name) => !read.some(({ column }) => column === name));
  const columns = [
    ...read,
    ...unread.map((column) => ({ column, field: null, kept: false, examples: [] })),
    // Blank fields of a form are dropped.
  ].filter(({ column }) => column.trim() !== '');
  if (columns.length === 0) return '';
  return html`<h2>Columns</h2><p class="hint">Change one if it is recognized wrongly, then check the file again.</p>${table(
    'Columns of the file',
    ['Column', 'Is read as', 'For example'],
    columns.map((each) => [
      each.column,
      targetSelect(each, mapping),
      each.examples.map(String).slice(0, 2).join(', ').slice(0, 80),
    ]),
  )}`;
}

function targetSelect({ column, field, kept }: Omit<Column, 'confidence'>, mapping: Mapping): Html {
  const chosen = Object.hasOwn(mapping, column) ? (mapping[column] ?? NOT_READ) : null;
  const meaning = field === null ? (kept ? 'kept as it is' : 'not read') : labelFor(field);
  const targets = new Map<string, string>([
    [GUESSED, chosen === null ? `Recognized: ${meaning}` : 'Recognize it'],
    ...(chosen === null ? [] : [[chosen, labelFor(chosen)] as const]),
    [NOT_READ, 'Not read'],
    ...TARGETS,
  ]);
  const options = [...targets].map(
    ([target, label]) =>
      html`<option value="${target}"${target === chosen ? html` selected` : ''}>${label}</option>`,
  );
  return html`<input type="hidden" name="columns" value="${column}"><select name="targets" aria-label="What ${column} is">${options}</select>`;
}
