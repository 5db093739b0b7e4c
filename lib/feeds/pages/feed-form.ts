import { html } from 'hono/html';
import * as z from 'zod/mini';
import { dealerSelect, readDealers } from '../../dashboard/parts/dealer-select.ts';
import { fields } from '../../dashboard/parts/fields.ts';
import { button, buttonForm } from '../../dashboard/parts/form.ts';
import { parseWith } from '../../http/endpoint.ts';
import { NoFields } from '../../http/pages/form.ts';
import { type Html, type PageCall, page } from '../../http/pages/page.ts';
import { Id } from '../../truck/json.ts';
import type { Feed } from '../feed.ts';
import { startFeedRun } from '../feed-runs.ts';
import { changeFeed, createFeed, readFeed, removeFeed, toSettings } from '../feeds.ts';
import { FeedCreate, FeedPatch, FeedPreviewBody } from '../schemas/feeds.ts';
import { toRunPath } from './feeds.ts';
import { columnTable, previewView, toMapping } from './preview-view.ts';

/** A feed as a form: the members of the API; a blank secret stays as it is stored. */
const Secret = z.optional(z.string());
const Form = z.extend(
  z.pick(FeedCreate, {
    name: true,
    url: true,
    dealer: true,
    source_provider_id: true,
    cadence_minutes: true,
    username: true,
    host_key_sha256: true,
  }),
  { password: Secret, private_key: Secret, mapping: z.optional(z.array(z.string())) },
);

const toBody = (form: z.output<typeof Form>) => ({
  // Without a user there is no password.
  ...(form.username === null ? { password: null } : {}),
  ...form,
  mapping: toMapping(form.mapping),
});

type Call = PageCall<{ id?: string | undefined }>;

/** A feed that is new, or to be changed: where the file is, and a look at how it would be read. */
export default page({
  params: z.object({ id: z.optional(Id) }),
  show,
  actions: {
    check: {
      form: Form,
      async run(call) {
        const body = { ...(await readStored(call)), ...toBody(call.form) };
        const { previewFeed } = await import('../preview/preview-feed.ts');
        const preview = await previewFeed(call.ctx, parseWith(FeedPreviewBody, body, 'INVALID_PAYLOAD'));
        return show(call, previewView(preview, body.mapping));
      },
    },
    save: {
      form: Form,
      async run({ ctx, params: { id }, form }) {
        const body = toBody(form);
        const feed =
          id === undefined
            ? await createFeed(ctx, parseWith(FeedCreate, body, 'INVALID_PAYLOAD'))
            : await changeFeed(ctx, id, parseWith(FeedPatch, body, 'INVALID_PAYLOAD'));
        const to = feed.enabled
          ? toRunPath(await startFeedRun(ctx, feed.id, false))
          : `/dashboard/feeds/${feed.id}`;
        return { to, done: 'saved' };
      },
    },
    remove: {
      form: NoFields,
      async run({ ctx, params: { id = '' } }) {
        await removeFeed(ctx, id);
        return { to: '/dashboard/feeds', done: 'removed' };
      },
    },
  },
});

const readStored = async ({ ctx, params: { id } }: Call) => (id === undefined ? null : readFeed(ctx, id));

/** `look`: at the file of the form that was checked. */
async function show(call: Call, look?: Html) {
  const { ctx, formLists } = call;
  const feed = await readStored(call);
  const mapping = formLists.mapping ? toMapping(formLists.mapping) : (feed?.mapping ?? {});
  const stored = { ...toSettings(ctx, {}), ...feed };
  const input = (...rows: Parameters<typeof fields>[2]) => fields(call, { schema: Form, stored }, rows);
  const dealer = { ...OF_DEALER, value: stored.dealer ?? '' };
  return {
    title: feed ? `Change ${feed.name}` : 'Add a feed',
    main: html`<form method="post" class="card wide">${look ?? columnTable([], mapping)}${input('name', 'url')}
<div class="row">${dealerSelect(call, await readDealers(ctx), dealer)}${input('cadence_minutes')}</div>
${input('source_provider_id')}
<details${(call.formValues.username || stored.username) && html` open`}><summary>The server asks for a user name</summary>
${input(['username', 'password'], 'private_key', 'host_key_sha256')}</details>
<p class="actions">${button('check', 'Check the file')}${button('save', feed ? 'Save' : 'Create the feed', { look: 'primary' })}</p></form>
${feed && removal(feed)}`,
  };
}

/** Whose the trucks of a file are. */
export const OF_DEALER = { label: 'Trucks of', none: 'As each row says' };

const removal = ({ id, name }: Feed) =>
  html`<section><h2>Remove it</h2><div class="card"><p>We stop pulling the file and delete its runs. The trucks it brought stay listed.</p>
${buttonForm('remove', 'Remove the feed', {}, { look: 'danger', confirm: `Remove ${name}? Its trucks stay listed.` })}</div>
<p><a href="/dashboard/feeds/${id}">Back to the feed</a></p></section>`;
