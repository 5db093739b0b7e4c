import { html } from 'hono/html';
import * as z from 'zod/mini';
import { entryFor, labelFor, RECORD, typedKeys } from '../../contract/record/record.ts';
import { describeFix } from '../../dashboard/parts/describe-fix.ts';
import { numeric, table } from '../../dashboard/parts/table.ts';
import { count, number } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
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
    rows.map(({ line, vin, field, fix }) => [
      number(line),
      html`<code>${vin ?? 'none'}</code>`,
      field === null ? '' : labelFor(field),
      describeFix(field, fix),
    ]),
  );
}

/** `field:column` of each column that is not read as it is recognized. */
export const ColumnChoices = z.optional(z.array(z.string()));

const NOT_READ = 'none';

export const toMapping = (choices: readonly string[] = []): Record<string, string | null> =>
  Object.fromEntries(
    choices.map((choice) => {
      const [field = '', ...column] = choice.split(':');
      return [column.join(':'), field === NOT_READ ? null : field];
    }),
  );

/** Whose a truck is cannot be guessed from a column's name, but said. */
const TARGETS = typedKeys(RECORD)
  .filter((name) => name === 'dealer' || (name !== 'attributes' && entryFor(name).columns !== false))
  .map((name) => [name as string, labelFor(name)] as const)
  .sort(([, one], [, other]) => one.localeCompare(other));

/** A choice for each column of the file, and for those that were chosen before. */
export function columnTable(read: readonly Column[], mapping: Mapping): Html | string {
  const names = new Set([...read.map(({ column }) => column), ...Object.keys(mapping)]);
  if (names.size === 0) return '';
  const columns = new Map(read.map((each) => [each.column, each]));
  return html`<h2>Columns</h2><p class="hint">Change one if it is recognized wrongly, then check the file again.</p>${table(
    'Columns of the file',
    ['Column', 'Is read as', 'For example'],
    [...names].map((name) => [
      name,
      targetSelect(name, columns.get(name), mapping),
      (columns.get(name)?.examples ?? []).map(String).slice(0, 2).join(', ').slice(0, 80),
    ]),
  )}`;
}

function targetSelect(name: string, column: Column | undefined, mapping: Mapping): Html {
  const chosen = Object.hasOwn(mapping, name) ? (mapping[name] ?? NOT_READ) : null;
  const guess = chosen === null && column ? `Recognized: ${describe(column)}` : 'Recognize it';
  const own = chosen === null ? [] : [[chosen, labelFor(chosen)] as const];
  const targets = new Map<string, string>([...own, [NOT_READ, 'Not read'], ...TARGETS]);
  return html`<select name="columns" aria-label="What ${name} is"><option value="">${guess}</option>${[
    ...targets,
  ].map(
    ([field, label]) =>
      html`<option value="${field}:${name}"${field === chosen ? html` selected` : ''}>${label}</option>`,
  )}</select>`;
}

const describe = ({ field, kept }: Column) =>
  field === null ? (kept ? 'kept as it is' : 'not read') : labelFor(field);
