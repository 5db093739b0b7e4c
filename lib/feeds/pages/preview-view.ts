import { html } from 'hono/html';
import { entryFor, labelFor, RECORD, type RecordName, typedKeys } from '../../contract/record/record.ts';
import { describeFix } from '../../dashboard/parts/describe-fix.ts';
import { numeric, table } from '../../dashboard/parts/table.ts';
import { count, number } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import type { previewFeed } from '../preview/preview-feed.ts';
import { GUESSED, LEFT_OUT } from './chosen-columns.ts';

type Preview = Awaited<ReturnType<typeof previewFeed>>;

/** How a file is read, and what would become of its first rows. */
export function previewView({ format, verdict }: Preview): Html {
  const rows = verdict.results.flatMap((result) => (result.outcome === 'rejected' ? [result] : []));
  return html`<section><h2>${count(verdict.accepted, 'truck')} would be listed, ${number(verdict.rejected)} rejected</h2>
<p>Read as ${format.toUpperCase()}, ${verdict.complete ? 'the whole file' : `the first ${count(verdict.rows, 'row')}`}. Nothing is stored yet.</p>
${verdict.rows === 0 ? noRows() : ''}${rows.length === 0 ? '' : rejectTable(rows)}</section>`;
}

export const noRows = () =>
  html`<p class="warn">The file has no rows of trucks. Under the names of the columns each truck takes one.</p>`;

const meaning = (field: string | null, kept: boolean) =>
  field === null ? (kept ? 'kept as it is' : 'not read') : labelFor(field);

const toExample = (examples: readonly unknown[]) => examples.map(String).slice(0, 2).join(', ').slice(0, 80);

/** A row of the table in which a dealer says what a column is. */
interface Mapped {
  column: string;
  guess: string;
  chosen: string;
  example: string;
}

/** The columns that a file has, with what was chosen for them; and columns that were chosen before. */
export function toMapped(preview: Preview | null, chosen: Readonly<Record<string, string | null>>): Mapped[] {
  const toChosen = (column: string) =>
    Object.hasOwn(chosen, column) ? (chosen[column] ?? LEFT_OUT) : GUESSED;
  const found = (preview?.columns ?? []).map(({ column, field, kept, examples }) => {
    const isChosen = toChosen(column) !== GUESSED;
    const guess = isChosen ? 'Recognize it' : `Recognized: ${meaning(field, kept)}`;
    return { column, guess, chosen: toChosen(column), example: toExample(examples) };
  });
  const others = Object.keys(chosen).filter((column) => !found.some((each) => each.column === column));
  return [
    ...found,
    ...others.map((column) => ({ column, guess: 'Recognize it', chosen: toChosen(column), example: '' })),
  ];
}

/** Whose a truck is cannot be guessed from a column's name, but said. */
function isOffered(name: RecordName): boolean {
  return name === 'dealer' || (name !== 'attributes' && entryFor(name).columns !== false);
}

const TARGETS = typedKeys(RECORD)
  .filter(isOffered)
  .map((value) => ({ value: value as string, label: labelFor(value) }))
  .toSorted((one, other) => one.label.localeCompare(other.label));

/** Part of the feed's form: a choice for each column, in the order of the file. */
export function columnChoices(all: readonly Mapped[]): Html | string {
  // Blank fields of a form are dropped: a column without a name cannot be chosen for.
  const mapped = all.filter(({ column }) => column.trim() !== '');
  if (mapped.length === 0) return '';
  return html`<h2>Columns</h2><p class="hint">Change one if it is recognized wrongly, then check the file again.</p>${table(
    'Columns of the file',
    ['Column', 'Is read as', 'For example'],
    mapped.map((each) => [
      html`<input type="hidden" name="columns" value="${each.column}">${each.column}`,
      targetSelect(each),
      each.example,
    ]),
  )}`;
}

function targetSelect({ column, guess, chosen }: Mapped): Html {
  const others = TARGETS.some(({ value }) => value === chosen) || chosen === GUESSED || chosen === LEFT_OUT;
  const choices = [
    { value: GUESSED, label: guess },
    { value: LEFT_OUT, label: 'Not read' },
    ...TARGETS,
    ...(others ? [] : [{ value: chosen, label: labelFor(chosen) }]),
  ];
  return html`<select name="targets" aria-label="What ${column} is">${choices.map(
    ({ value, label }) =>
      html`<option value="${value}"${value === chosen ? html` selected` : ''}>${label}</option>`,
  )}</select>`;
}

interface RejectedRow {
  line: number;
  vin: string | null;
  field: string | null;
  fix: string;
  /** Where it is known. */
  stock_number?: string | null;
  /** What else is wrong with it. */
  further?: readonly { field: string | null; fix: string }[];
}

export function rejectTable(rows: readonly RejectedRow[]): Html {
  const hasStock = rows.some(({ stock_number }) => stock_number != null);
  return table(
    'Rejected rows',
    [numeric('Line'), 'VIN', ...(hasStock ? ['Stock number'] : []), 'Field', 'What to change'],
    rows.map(({ line, vin, field, fix, stock_number, further = [] }) => [
      number(line),
      html`<code>${vin ?? 'none'}</code>`,
      ...(hasStock ? [stock_number ?? ''] : []),
      [field, ...further.map((fault) => fault.field)]
        .flatMap((name) => name ?? [])
        .map(labelFor)
        .join(', '),
      [describeFix(field, fix), ...further.map((fault) => describeFix(fault.field, fault.fix))].join(' '),
    ]),
  );
}
