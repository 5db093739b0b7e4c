import { html } from 'hono/html';
import * as z from 'zod/mini';
import { Id } from '../../contract/json.ts';
import { readDealers } from '../../dashboard/parts/dealer-select.ts';
import { button, field, hidden } from '../../dashboard/parts/form.ts';
import { toSlug } from '../../domain/accounts/slug.ts';
import { type Html, type PageCall, page } from '../../http/pages/page.ts';
import { addDealer } from '../../services/accounts/dealers.ts';
import { type Context, invalid } from '../../services/context.ts';
import { UPLOAD_FEED } from '../feed.ts';
import { previewFeed } from '../preview/preview-feed.ts';
import { keepFile, readKeptFile, startUpload } from '../uploads.ts';
import { ColumnChoices, columnTable, toMapping } from './columns.ts';
import { ownerSelect } from './feed-fields.ts';
import { previewView } from './preview-view.ts';

/** What the platform takes in one request, of which fields other than the file take the rest. */
const MAX_BYTES = 4 * 1024 ** 2;
const MAX_FILE_BYTES = MAX_BYTES - 64 * 1024;

const Fields = z.object({
  /** A file, or the one that was looked at. */
  file: z.optional(z.file()),
  checked: z.optional(Id),
  columns: ColumnChoices,
  dealer: z.optional(z.string()),
  /** Of an account without any. */
  dealer_name: z.optional(z.string().check(z.maxLength(200))),
});
type Given = z.output<typeof Fields>;

/** A file of trucks, looked at first and then listed; it takes nothing off the list. */
export const upload = page({
  maxBytes: MAX_BYTES,
  async show(call) {
    const { sent, problem } = call;
    const checked = problem?.field === 'file' ? undefined : sent.checked;
    return { title: 'Upload', main: await uploadForm(call, checked, '') };
  },
  actions: {
    check: {
      form: Fields,
      async run(call) {
        const { ctx, form } = call;
        const { id, bytes } = await readSent(ctx, form);
        const mapping = toMapping(form.columns);
        const sample_base64 = Buffer.from(bytes).toString('base64');
        const preview = await previewFeed(ctx, { dealer: form.dealer, mapping, sample_base64 });
        const columns = columnTable(preview.columns, mapping);
        const sent = { dealer: form.dealer ?? '', dealer_name: form.dealer_name ?? '' };
        const again = await uploadForm({ ...call, sent }, id, columns);
        return { title: 'Upload', main: html`${previewView(preview)}${again}` };
      },
    },
    push: {
      form: Fields,
      async run({ ctx, form }) {
        const file = await readSent(ctx, form);
        const dealer = form.dealer ?? (await makeDealer(ctx, form.dealer_name));
        const run = await startUpload(ctx, file, { dealer, mapping: toMapping(form.columns) });
        return { to: `/dashboard/feeds/${UPLOAD_FEED}/runs/${run}` };
      },
    },
  },
});

async function readSent(ctx: Context, { file, checked }: Given) {
  if (file !== undefined)
    return keepFile(ctx, { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  if (checked !== undefined) return readKeptFile(ctx, checked);
  throw invalid('file', 'choose one first');
}

/** Trucks of no dealer are in no widget: the first file asks whose they are. */
async function makeDealer(ctx: Context, name: string | undefined): Promise<string | null> {
  if (name === undefined) return null;
  const slug = toSlug(name);
  if (slug === '') throw invalid('dealer_name', 'needs a letter from A to Z or a digit');
  await addDealer(ctx, { slug, name });
  return slug;
}

/** `checked`: the id of a file that is kept, with the choice of its columns. */
async function uploadForm(
  call: Pick<PageCall, 'ctx' | 'sent' | 'problem' | 'session'>,
  checked: string | undefined,
  columns: Html | string,
): Promise<Html> {
  if (call.session.isOperator) return html`<p>Only people of the account upload files.</p>`;
  const isChosen = checked !== undefined;
  const file = isChosen
    ? html`${hidden({ checked })}<p><strong>The file that you chose</strong> · <a href="/dashboard/upload">choose another</a></p>`
    : FILE_PICKER;
  return html`<form method="post" enctype="multipart/form-data" class="card${isChosen ? ' wide' : ''}">
${file}${await dealerField(call)}${columns}
<p class="actions">${button('check', isChosen ? 'Check it again' : 'Check the file', { look: isChosen ? 'plain' : 'primary' })}${button('push', 'List the trucks', { look: isChosen ? 'primary' : 'plain' })}</p></form>`;
}

async function dealerField(call: Pick<PageCall, 'ctx' | 'sent' | 'problem'>): Promise<Html> {
  const dealers = await readDealers(call.ctx);
  if (dealers.length > 0) return ownerSelect(call, dealers);
  const hint = 'Who sells these trucks, as visitors know it. You can add its phone and hours later.';
  return field(call, { name: 'dealer_name', label: 'Name of the dealer', isRequired: true, hint });
}

const FILE_PICKER = html`<div class="field" data-drop>
<label for="file">File</label><p class="hint" id="file-hint">CSV, Excel (.xlsx), JSON or XML, up to 4 MB; larger ones packed with gzip or zip, or as a <a href="/dashboard/feeds/new">feed</a>.</p>
<input id="file" name="file" type="file" required aria-describedby="file-hint" data-max-bytes="${MAX_FILE_BYTES}" data-too-large="This file is over 4 MB: pack it with gzip or zip, or set it up as a feed."></div>`;
