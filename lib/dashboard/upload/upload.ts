import { html } from 'hono/html';
import * as z from 'zod/mini';
import { type Html, type PageCall, page } from '../../http/pages/page.ts';
import { previewFeed } from '../../services/feeds/preview-feed.ts';
import { type Uploaded, uploadFile } from '../../services/uploads/upload-file.ts';
import { columnTable, previewView, rejectTable } from '../feeds/preview-view.ts';
import { dealerSelect, readDealers } from '../parts/dealer-select.ts';
import { button } from '../parts/form.ts';
import { facts, table } from '../parts/table.ts';
import { count, number } from '../parts/text.ts';

/** What the platform takes in one request. */
const MAX_BYTES = 4 * 1024 * 1024;

const Fields = z.object({
  file: z.file('choose a file'),
  dealer: z.optional(z.string().check(z.maxLength(64))),
});

/** A file of trucks, looked at first and then listed; it takes nothing off the list. */
export const upload = page({
  maxBytes: MAX_BYTES,
  show: async (call) => ({ title: 'Upload', main: await form(call) }),
  actions: {
    check: {
      form: Fields,
      async run(call) {
        const { file, dealer } = call.form;
        const sample_base64 = Buffer.from(await file.arrayBuffer()).toString('base64');
        const preview = await previewFeed(call.ctx, { sample_base64, dealer });
        return {
          title: 'Upload',
          main: html`${previewView(preview)}${columnTable(preview)}<p>Does this look right? Choose the file again and press List the trucks.</p>${await form({ ...call, sent: { dealer: dealer ?? '' } })}`,
        };
      },
    },
    push: {
      form: Fields,
      async run(call) {
        const { file, dealer } = call.form;
        const sent = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
        const uploaded = await uploadFile(call.ctx, sent, { dealer });
        return {
          title: 'Upload',
          main: html`${showResult(uploaded)}${await form({ ...call, sent: { dealer: dealer ?? '' } })}`,
        };
      },
    },
  },
});

async function form(call: Pick<PageCall, 'ctx' | 'sent' | 'problem'>): Promise<Html> {
  const dealers = await readDealers(call.ctx);
  const none = dealers.length > 1 ? 'The one that each row names' : 'Not named';
  return html`<form method="post" enctype="multipart/form-data" class="card"><div class="field" data-drop>
<label for="file">File</label><p class="hint" id="file-hint">CSV, Excel (.xlsx), JSON or XML, up to 4 MB; larger ones packed with gzip or zip, or as a <a href="/dashboard/feeds/new">feed</a>.</p>
<input id="file" name="file" type="file" required aria-describedby="file-hint"></div>
${dealerSelect(call, dealers, { label: 'Trucks of', none })}
<p class="actions">${button('check', 'Check the file', { look: 'primary' })}${button('push', 'List the trucks')}</p></form>`;
}

function showResult(uploaded: Uploaded): Html {
  const { rows, created, merged, unchanged, rejected, unlisted, unsent, rejects, warnings } = uploaded;
  const listed = rows - rejected - unlisted - unsent;
  return html`<section><h2>${count(listed, 'truck')} of ${number(rows)} listed</h2>${facts([
    ['New', number(created)],
    ['Changed', number(merged)],
    ['As before', number(unchanged)],
    ...(unlisted === 0 ? [] : [['Sold or delisted, so not listed', number(unlisted)] as const]),
    ['Rejected', number(rejected)],
  ])}${
    unsent === 0
      ? ''
      : html`<p>There was no time for the last ${count(unsent, 'row')}: upload the file again, and it goes on with them.</p>`
  }${
    rejects.length === 0
      ? ''
      : html`<p>Fix these rows in your file and upload it again: trucks that are listed already stay as they are.
<a href="/dashboard/issues?source=upload&amp;file=csv">Save all with what to change</a></p>${rejectTable(rejects)}`
  }${warnings.length === 0 ? '' : warningTable(warnings)}</section>`;
}

function warningTable(warnings: Uploaded['warnings']): Html {
  return html`<h3>Listed, but look at these</h3>${table(
    'Warnings',
    [{ label: 'Line', isNumber: true }, { label: 'VIN' }, { label: 'What we noticed' }],
    warnings.map(({ line, vin, message }) => [number(line), html`<code>${vin}</code>`, message]),
  )}`;
}
