import { html } from 'hono/html';
import { describeFix } from '../../dashboard/parts/reject-reasons.ts';
import { numeric, table } from '../../dashboard/parts/table.ts';
import { count, number, truckNumbers } from '../../dashboard/parts/text.ts';
import { entryFor, labelFor, RECORD, typedKeys } from '../../truck/record/record.ts';
import type { FeedReject } from '../feed.ts';
import type { previewFeed } from '../preview/preview-feed.ts';

/** The part of a form that shows how a file is read, and in which a dealer says what its columns are. */

type Preview = Awaited<ReturnType<typeof previewFeed>>;
type Mapping = Readonly<Record<string, string | null>>;

/** How a file is read, what would become of its first rows, and what its columns are: the head of its form. */
export const previewView = (
  { format, verdict: { rows, rejected, ...verdict }, columns, would_delist: missing = 0 }: Preview,
  mapping: Mapping,
) =>
  html`<h2>${count(rows - rejected, 'truck')} would be listed, ${number(rejected)} rejected</h2>
<p>${number(verdict.created)} new, ${number(verdict.merged)} changed, ${number(verdict.unchanged)} unchanged. Read as ${format.toUpperCase()}, ${verdict.complete ? 'the whole file' : `the first ${count(rows, 'row')}`}. Nothing is listed yet.</p>
${missing > 0 && html`<p class="warn">If the file is your whole lot, ${count(missing, 'truck')} of earlier uploads would be delisted.</p>`}
${rows === 0 && NO_ROWS}${verdict.warnings.map((warning) => html`<p class="warn">${describeFix(warning.code, warning.message)} (${count(warning.count, 'row')}, first in line ${number(warning.line)})</p>`)}${rejectTable(verdict.rejects)}${columnTable(columns, mapping)}`;

export const NO_ROWS = html`<p class="warn">The file has no trucks. Below the column names, each truck needs a row.</p>`;

export function rejectTable(rows: readonly FeedReject[]) {
  if (rows.length === 0) return '';
  return table(
    'Rejected rows',
    ['Truck', 'Field', 'What to change', numeric('Line')],
    rows.map(({ line, vin, stock_number = null, code, field, fix, also = [] }) => [
      truckNumbers(vin, stock_number),
      field === null ? '' : labelFor(field),
      html`${describeFix(code, fix)}${also.length > 0 && ` Also wrong: ${also.map(labelFor).join(', ')}.`}`,
      number(line),
    ]),
  );
}

/** Of choices as the form sends them, `field=column`; a column without a field is not read. */
export const toMapping = (choices: readonly string[] = []) =>
  Object.fromEntries(
    choices.map((choice) => {
      const at = choice.indexOf('=');
      return [choice.slice(at + 1), choice.slice(0, at) || null];
    }),
  );

/** Whose a truck is cannot be guessed from a column's name, but said. */
const TARGETS = typedKeys(RECORD)
  .filter((name) => name === 'dealer' || (name !== 'attributes' && entryFor(name).columns !== false))
  .map((name) => [name as string, labelFor(name)] as const)
  .sort(([, one], [, other]) => one.localeCompare(other));

/** A choice for each column of the file, and for those that were chosen before. */
export function columnTable(columns: Preview['columns'], mapping: Mapping) {
  const names = new Set([...columns.map(({ column }) => column), ...Object.keys(mapping)]);
  if (names.size === 0) return '';
  return html`<h2>Columns</h2><p class="hint">Change one if it is recognized wrongly, then check the file again.</p>${table(
    'Columns of the file',
    ['Column', 'Is read as', 'For example'],
    [...names].map((name) => {
      const {
        field = null,
        kept: isExtra = false,
        examples = [],
      } = columns.find(({ column }) => column === name) ?? {};
      const meaning = field === null ? (isExtra ? 'Kept as it is' : 'Not read') : labelFor(field);
      return [
        name,
        targetSelect(name, Object.hasOwn(mapping, name) ? mapping[name] : undefined, meaning),
        examples.slice(0, 2).join(', ').slice(0, 80),
      ];
    }),
  )}`;
}

/** `choice`: a field, or null for none; undefined: the column is read as it is recognized. */
function targetSelect(column: string, choice: string | null | undefined, meaning: string) {
  const targets = new Map([['', 'Not read'], ...TARGETS]);
  if (choice) targets.set(choice, labelFor(choice));
  const options = [...targets].map(
    ([target, label]) =>
      html`<option value="${target}=${column}"${choice !== undefined && target === (choice ?? '') && html` selected`}>${label}</option>`,
  );
  return html`<select name="mapping" aria-label="What ${column} is"><option value="">${choice === undefined ? `${meaning} (recognized)` : 'Recognize it'}</option>${options}</select>`;
}
