import { html } from 'hono/html';
import type { Html } from '../../http/pages/page.ts';
import type { previewFeed } from '../../services/feeds/preview-feed.ts';
import { table } from '../parts/table.ts';
import { count, number } from '../parts/text.ts';

type Preview = Awaited<ReturnType<typeof previewFeed>>;

/** How a file is read: its columns, and what would become of its first rows. */
export function previewView({ format, columns, verdict }: Preview): Html {
  const rows = verdict.results.flatMap((result) => (result.outcome === 'rejected' ? [result] : []));
  return html`<section><h2>${count(verdict.accepted, 'truck')} would be listed, ${number(verdict.rejected)} rejected</h2>
<p>Read as ${format}, ${verdict.complete ? 'the whole file' : `the first ${count(verdict.rows, 'row')}`}. Nothing is stored yet.</p>
${rows.length === 0 ? '' : rejectTable(rows)}</section>
<section><h2>Columns</h2>${table(
    'Columns of the file',
    [{ label: 'Column' }, { label: 'Is read as' }, { label: 'For example' }],
    columns.map(({ column, field, kept, examples }) => [
      column,
      field ?? (kept ? 'kept as it is' : 'not read'),
      examples.map(String).slice(0, 2).join(', ').slice(0, 80),
    ]),
  )}</section>`;
}

export function rejectTable(rows: readonly { line: number; vin: string | null; fix: string }[]): Html {
  return table(
    'Rejected rows',
    [{ label: 'Line', isNumber: true }, { label: 'VIN' }, { label: 'What to change' }],
    rows.map(({ line, vin, fix }) => [number(line), html`<code>${vin ?? ''}</code>`, fix]),
  );
}
