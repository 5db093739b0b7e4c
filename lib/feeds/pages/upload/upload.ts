import { html } from 'hono/html';
import * as z from 'zod/mini';
import { toSlug } from '../../../domain/accounts/slug.ts';
import { type PageCall, page } from '../../../http/pages/page.ts';
import { addDealer } from '../../../services/accounts/dealers.ts';
import { type Context, invalid, notFound } from '../../../services/context.ts';
import { previewFeed } from '../../preview/preview-feed.ts';
import { keepFile, readKeptFile, readUploaded } from '../../uploads/keep-file.ts';
import type { KeptFile } from '../../uploads/kept-file.ts';
import { startUpload, toUploadSettings } from '../../uploads/upload-file.ts';
import { ColumnFields, chosenColumns } from '../chosen-columns.ts';
import { columnChoices, previewView, toMapped } from '../preview-view.ts';
import { MAX_BYTES, uploadForm } from './upload-form.ts';
import { progressView, resultView } from './upload-result.ts';

const PATH = '/dashboard/upload';

const Id = z.optional(z.string().check(z.regex(/^upl_[0-9a-f]{24}$/, 'must be the id of a file')));
const Fields = z.object({
  /** A file, or the one that was looked at. */
  file: z.optional(z.file()),
  checked: Id,
  ...ColumnFields,
  dealer: z.optional(z.string().check(z.maxLength(64))),
  /** Of an account without any. */
  dealer_name: z.optional(z.string().check(z.maxLength(200))),
});
type Given = z.output<typeof Fields>;

/** A file of trucks, looked at first and then listed; it takes nothing off the list. */
export const upload = page({
  maxBytes: MAX_BYTES,
  query: z.object({ of: Id, file: z.optional(z.literal('rejects')) }),
  async show(call) {
    const { ctx, query } = call;
    if (query.of === undefined) return { title: 'Upload', main: await uploadForm(call) };
    const uploaded = await readUploaded(ctx, query.of);
    if (uploaded === null) throw notFound('upload');
    if (query.file !== undefined) return downloadRejects(ctx, query.of);
    if (!uploaded.isDone) return { title: 'Upload', main: progressView(uploaded), refreshSeconds: 2 };
    return { title: 'Upload', main: html`${resultView(uploaded, query.of)}${await uploadForm(call)}` };
  },
  actions: {
    check: {
      form: Fields,
      async run(call) {
        const { ctx, form } = call;
        const file = await readSent(ctx, form);
        const settings = { ...toSettings(form), sample_base64: Buffer.from(file.bytes).toString('base64') };
        const preview = await previewFeed(ctx, settings);
        const columns = columnChoices(toMapped(preview, chosenColumns(form)));
        const sent = { dealer: form.dealer ?? '', dealer_name: form.dealer_name ?? '' };
        const again = await uploadForm({ ...call, sent }, { checked: file, columns });
        return { title: 'Upload', main: html`${previewView(preview)}${again}` };
      },
    },
    push: { form: Fields, run: push },
  },
});

async function push({ ctx, form }: PageCall<undefined, unknown> & { form: Given }) {
  const file = await readSent(ctx, form);
  const dealer = form.dealer ?? (await makeDealer(ctx, form.dealer_name));
  const settings = toSettings({ ...form, dealer });
  await startUpload(ctx, file, settings);
  return { to: `${PATH}?of=${file.id}` };
}

const toSettings = (form: Given) => toUploadSettings({ dealer: form.dealer, mapping: chosenColumns(form) });

async function readSent(ctx: Context, { file, checked }: Given): Promise<KeptFile> {
  if (file !== undefined)
    return keepFile(ctx, { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  if (checked !== undefined) return readKeptFile(ctx, checked);
  throw invalid('file', 'choose one first');
}

/** Trucks of no dealer are in no widget: the first file asks whose they are. */
async function makeDealer(ctx: Context, name: string | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const slug = toSlug(name);
  if (slug === '') throw invalid('dealer_name', 'needs a letter from A to Z or a digit');
  await addDealer(ctx, { slug, name });
  return slug;
}

async function downloadRejects(ctx: Context, id: string) {
  const { name, bytes } = await readKeptFile(ctx, id);
  const filename = `${name.replace(/\.\w+$/, '')}-to-fix.csv`;
  return { filename, type: 'text/csv; charset=utf-8', body: new TextDecoder().decode(bytes) };
}
