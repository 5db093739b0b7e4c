import { html } from 'hono/html';
import * as z from 'zod/mini';
import { dealerSelect, readDealers } from '../../dashboard/parts/dealer-select.ts';
import { fields } from '../../dashboard/parts/fields.ts';
import { button, hiddenFields } from '../../dashboard/parts/form.ts';
import { type Html, type PageCall, page } from '../../http/pages/page.ts';
import { Id } from '../../truck/json.ts';
import { UPLOAD_FEED } from '../feed.ts';
import { keepFile, listUploads, startUpload } from '../uploads.ts';
import { OF_DEALER } from './feed-form.ts';
import { runTable } from './feeds.ts';
import { previewView, toMapping } from './preview-view.ts';

/** What the platform takes in one request, of which fields other than the file take the rest. */
const MAX_BYTES = 4 * 1024 ** 2;
const MAX_FILE_BYTES = MAX_BYTES - 64 * 1024;

const Fields = z.object({
  /** A file, or the one that was looked at. */
  file: z.optional(z.file()),
  checked: z.optional(Id),
  mapping: z.optional(z.array(z.string())),
  dealer: z.optional(z.string()),
  lot: z.optional(z.enum(['part', 'whole'])),
});

/** A file of trucks, looked at first and then listed; it delists trucks only if it is said to be the whole lot. */
export default page({
  maxBytes: MAX_BYTES,
  async show(call) {
    const checked = call.problem?.field === 'file' ? undefined : call.formValues.checked;
    const runs = await listUploads(call.ctx);
    return { title: 'Upload', main: html`${await form(call, checked)}${runTable('Last uploads', runs)}` };
  },
  actions: {
    check: {
      form: Fields,
      async run(call) {
        const { id, content } = await keepFile(call.ctx, call.form);
        const { dealer = null, mapping: choices } = call.form;
        const mapping = toMapping(choices);
        const { previewFeed } = await import('../preview/preview-feed.ts');
        const preview = await previewFeed(call.ctx, { dealer, mapping, sample_base64: content }, UPLOAD_FEED);
        return { title: 'Upload', main: await form(call, id, previewView(preview, mapping)) };
      },
    },
    push: {
      form: Fields,
      async run({ ctx, form }) {
        const { dealer = null, mapping } = form;
        const file = await keepFile(ctx, form);
        const run = await startUpload(ctx, file, {
          dealer,
          mapping: toMapping(mapping),
          isWhole: form.lot === 'whole',
        });
        return { to: `/dashboard/feeds/${UPLOAD_FEED}/runs/${run}` };
      },
    },
  },
});

/** `checked`: the id of a file that is kept. */
async function form(call: PageCall, checked: string | undefined, look: Html | string = '') {
  const dealers = await readDealers(call.ctx);
  const file = checked
    ? html`${hiddenFields({ checked })}<p><strong>The file that you chose</strong> · <a href="/dashboard/upload">choose another</a></p>`
    : FILE_PICKER;
  const dealerField =
    dealers.length === 0
      ? html`<p class="hint">Trucks without a dealer are in no widget: <a href="/dashboard/settings/dealers">add the dealer</a> first.</p>`
      : dealerSelect(call, dealers, OF_DEALER);
  const push = button('push', 'List the trucks', { look: 'primary' });
  return html`<form method="post" enctype="multipart/form-data" class="card wide">${look && html`<p class="actions">${push}</p>${look}`}
${file}${dealerField}${fields(call, { schema: Fields }, ['lot'])}<p class="actions">${button('check', 'Check the file')}${push}</p></form>`;
}

const FILE_PICKER = html`<div class="field" data-drop>
<label for="file">File</label><p class="hint" id="file-hint">CSV, Excel (.xlsx), JSON or XML, up to 4 MB; larger ones packed with gzip or zip, or as a <a href="/dashboard/feeds/new">feed</a>.</p>
<input id="file" name="file" type="file" required aria-describedby="file-hint" data-max-bytes="${MAX_FILE_BYTES}" data-too-large="This file is over 4 MB: pack it with gzip or zip, or set it up as a feed."></div>`;
