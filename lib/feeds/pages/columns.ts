import { html } from 'hono/html';
import * as z from 'zod/mini';
import { entryFor, labelFor, RECORD, typedKeys } from '../../contract/record/record.ts';
import { table } from '../../dashboard/parts/table.ts';
import type { Html } from '../../http/pages/page.ts';
import type { previewFeed } from '../preview/preview-feed.ts';

/** The part of a form in which a dealer says what the columns of a file are. */

type Column = Awaited<ReturnType<typeof previewFeed>>['columns'][number];
type Mapping = Readonly<Record<string, string | null>>;

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
