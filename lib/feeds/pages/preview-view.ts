import { html } from 'hono/html';
import { labelFor } from '../../contract/record/record.ts';
import { describeFix } from '../../dashboard/parts/describe-fix.ts';
import { numeric, table } from '../../dashboard/parts/table.ts';
import { count, number } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import type { FeedReject } from '../feed.ts';
import type { previewFeed } from '../preview/preview-feed.ts';

/** How a file is read, and what would become of its first rows. */
export function previewView({ format, verdict }: Awaited<ReturnType<typeof previewFeed>>): Html {
  const rejects = verdict.results.filter((result) => result.outcome === 'rejected');
  return html`<section><h2>${count(verdict.accepted, 'truck')} would be listed, ${number(verdict.rejected)} rejected</h2>
<p>Read as ${format.toUpperCase()}, ${verdict.complete ? 'the whole file' : `the first ${count(verdict.rows, 'row')}`}. Nothing is stored yet.</p>
${verdict.rows === 0 ? NO_ROWS : ''}${rejectTable(rejects)}</section>`;
}

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
