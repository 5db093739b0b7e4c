import { html } from 'hono/html';
import * as z from 'zod/mini';
import { readDealers } from '../../dashboard/parts/dealer-select.ts';
import { button, buttonForm } from '../../dashboard/parts/form.ts';
import { type Context, requireAccount } from '../../http/context.ts';
import { parseWith } from '../../http/endpoint.ts';
import { NoFields } from '../../http/pages/form.ts';
import { type Html, type PageCall, page } from '../../http/pages/page.ts';
import { Id } from '../../truck/json.ts';
import type { Feed } from '../feed.ts';
import { changeFeed, createFeed, readFeed, removeFeed } from '../feeds.ts';
import { previewFeed } from '../preview/preview-feed.ts';
import { FeedCreate, FeedPatch, FeedPreviewBody } from '../schemas/feeds.ts';
import { FeedForm, feedFields, toFeedInput } from './feed-fields.ts';
import { columnTable, previewView, toMapping } from './preview-view.ts';

type Call = PageCall<{ id?: string | undefined }>;

/** A feed that is new, or to be changed: where the file is, and a look at how it would be read. */
export const feedForm = page({
  params: z.object({ id: z.optional(Id) }),
  show: (call) => show(call),
  actions: {
    check: {
      form: FeedForm,
      async run(call) {
        const { ctx, params, form } = call;
        const stored = await readStored(ctx, params.id);
        const body = { ...stored, ...toFeedInput(form), protocol: undefined };
        const preview = await previewFeed(ctx, parseWith(FeedPreviewBody, body, 'INVALID_PAYLOAD'));
        return show(call, form, previewView(preview, body.mapping));
      },
    },
    save: {
      form: FeedForm,
      async run({ ctx, params: { id }, form }) {
        const input = toFeedInput(form);
        const saved =
          id === undefined
            ? await createFeed(ctx, parseWith(FeedCreate, input, 'INVALID_PAYLOAD'))
            : await changeFeed(ctx, id, parseWith(FeedPatch, input, 'INVALID_PAYLOAD'));
        return { to: `/dashboard/feeds/${saved.id}`, done: 'saved' };
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

const readStored = async (ctx: Context, id: string | undefined) =>
  id === undefined ? null : readFeed(ctx, id);

async function show(call: Call, typed?: Readonly<Record<string, unknown>>, look?: Html) {
  const { ctx, params, sentLists } = call;
  const stored = await readStored(ctx, params.id);
  const mapping = sentLists.columns ? toMapping(sentLists) : (stored?.mapping ?? {});
  const cadence_minutes = Math.max(60, requireAccount(ctx).min_feed_cadence_minutes);
  const fields = feedFields(call, typed ?? stored ?? { cadence_minutes }, await readDealers(ctx));
  return {
    title: stored ? `Change ${stored.name}` : 'Add a feed',
    main: html`<form method="post" class="card wide">${look ?? columnTable([], mapping)}${fields}
<p class="actions">${button('check', 'Check the file')}${button('save', stored ? 'Save' : 'Create the feed', { look: 'primary' })}</p></form>
${stored ? removal(stored) : ''}`,
  };
}

const removal = ({ id, name }: Feed) =>
  html`<section><h2>Remove it</h2><div class="card"><p>The file is not fetched any more, and its runs are forgotten. The trucks it brought stay listed.</p>
${buttonForm('remove', 'Remove the feed', {}, { look: 'danger', confirm: `Remove ${name}? Its trucks stay listed.` })}</div>
<p><a href="/dashboard/feeds/${id}">Back to the feed</a></p></section>`;
