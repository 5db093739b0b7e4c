import { html } from 'hono/html';
import { facts, numeric, table } from '../../../dashboard/parts/table.ts';
import { count, number } from '../../../dashboard/parts/text.ts';
import type { Html } from '../../../http/pages/page.ts';
import type { Uploaded } from '../../uploads/list-rows.ts';
import { noRows, rejectTable } from '../preview-view.ts';

type Shown = Uploaded & { name: string };

/** A file that is being listed. */
export function progressView({ name, rows, unsent, rejected }: Shown): Html {
  const done = rows - unsent;
  return html`<section id="progress" data-live><h2>${name} is being listed</h2>
<progress max="${rows}" value="${done}">${done}</progress>
<p>${number(done)} of ${count(rows, 'row')}, ${number(rejected)} rejected so far. You may leave this page: it goes on.</p></section>`;
}

/** What became of a file, and of its rejected rows. */
export function resultView(uploaded: Shown, id: string): Html {
  const { name, rows, created, merged, unchanged, rejected, unlisted, unsent, rejects, warnings } = uploaded;
  const listed = rows - rejected - unlisted - unsent;
  return html`<section><h2>${count(listed, 'truck')} of ${number(rows)} listed</h2><p>${name}</p>${rows === 0 ? noRows() : ''}${facts(
    [
      ['New', number(created)],
      ['Changed', number(merged)],
      ['As before', number(unchanged)],
      ...(unlisted === 0 ? [] : [['Sold or delisted, so not listed', number(unlisted)] as const]),
      ['Rejected', number(rejected)],
    ],
  )}${
    unsent === 0
      ? ''
      : html`<p>There was no time for the last ${count(unsent, 'row')}: upload the file again, and it goes on with them.</p>`
  }${
    rejects.length === 0
      ? ''
      : html`<h3>To fix</h3><p>Your rows, with what to change in the column “fix”. Mend them and upload that file: trucks that are listed already stay as they are.</p>
<p class="actions"><a class="button primary" href="/dashboard/upload?of=${id}&amp;file=rejects">Save the rejected rows</a></p>${rejectTable(rejects)}`
  }${warnings.length === 0 ? '' : warningTable(warnings)}</section>`;
}

function warningTable(warnings: Uploaded['warnings']): Html {
  return html`<h3>Listed, but look at these</h3>${table(
    'Warnings',
    [numeric('Line'), 'VIN', 'What we noticed'],
    warnings.map(({ line, vin, message }) => [number(line), html`<code>${vin}</code>`, message]),
  )}`;
}
