import { html } from 'hono/html';
import * as z from 'zod/mini';
import { Id } from '../../contract/json.ts';
import { readDealers } from '../../dashboard/parts/dealer-select.ts';
import { button, buttonForm } from '../../dashboard/parts/form.ts';
import { ApiError } from '../../errors.ts';
import { parseWith } from '../../http/endpoint.ts';
import { NoFields } from '../../http/pages/form.ts';
import { type Html, type PageCall, page } from '../../http/pages/page.ts';
import { requireAccount } from '../../services/context.ts';
import type { Feed } from '../feed.ts';
import { changeFeed, createFeed, readFeed, removeFeed } from '../feeds.ts';
import { previewFeed } from '../preview/preview-feed.ts';
import { FeedCreate, FeedPatch, FeedPreviewBody } from '../schemas/feeds.ts';
import { chosenColumns } from './chosen-columns.ts';
import { FeedFields, type FeedInput, feedFields, toFeedInput, toSent } from './feed-form.ts';
import { columnChoices, previewView, toMapped } from './preview-view.ts';

type Call = Pick<PageCall, 'ctx' | 'sent' | 'problem'>;

/** A new feed: where the file is, a look at how it would be read, and then the feed. */
export const newFeed = page({
  show: async (call) => toView(null, await form(call, null, '')),
  actions: {
    check: { form: FeedFields, run: (call) => checkFile(call, null) },
    create: {
      form: FeedFields,
      async run({ ctx, form: given }) {
        await createFeed(ctx, parseWith(FeedCreate, toFeedInput(given), 'INVALID_PAYLOAD'));
        return { to: '/dashboard/feeds', done: 'created' };
      },
    },
  },
});

/** Changes a feed, after a look at how its file would be read; or removes it. */
export const editFeed = page({
  params: z.object({ id: Id }),
  async show(call) {
    const found = await readFeed(call.ctx, call.params.id);
    return toView(found, await form(call, found, columnChoices(toMapped(null, found.mapping ?? {}))));
  },
  actions: {
    check: {
      form: FeedFields,
      run: async (call) => checkFile(call, await readFeed(call.ctx, call.params.id)),
    },
    save: {
      form: FeedFields,
      async run({ ctx, params: { id }, form: given }) {
        await changeFeed(ctx, id, parseWith(FeedPatch, toFeedInput(given), 'INVALID_PAYLOAD'));
        return { to: `/dashboard/feeds/${id}`, done: 'changed' };
      },
    },
    remove: {
      form: NoFields,
      async run({ ctx, params: { id } }) {
        await removeFeed(ctx, id);
        return { to: '/dashboard/feeds', done: 'removed' };
      },
    },
  },
});

const toView = (stored: Feed | null, main: Html) => ({
  title: stored ? `Change ${stored.name}` : 'Add a feed',
  main,
});

/** How the file would be read, above the form as it was sent. */
async function checkFile(call: Call & { form: FeedInput }, stored: Feed | null) {
  if (stored) checkTyped(stored, call.form);
  const { defaults, class_from_vin, zero_price_is_call } = stored ?? {};
  const { name, ...reading } = toFeedInput(call.form);
  const settings = { defaults, class_from_vin, zero_price_is_call, ...reading };
  const preview = await previewFeed(call.ctx, parseWith(FeedPreviewBody, settings, 'INVALID_PAYLOAD'));
  const columns = columnChoices(toMapped(preview, chosenColumns(call.form)));
  const again = await form({ ...call, sent: toSent(call.form) }, stored, columns);
  return toView(stored, html`${previewView(preview)}${again}`);
}

/** A stored secret is not used to look at a file. */
function checkTyped({ has_password, has_private_key }: Feed, given: FeedInput): void {
  const isStored = (has_password || has_private_key) && given.username !== undefined;
  if (!isStored || given.password !== undefined || given.private_key !== undefined) return;
  const why = 'to check the file; saving works without it';
  throw new ApiError('INVALID_PAYLOAD', `Type the password or the private key again: ${why}.`, {
    details: { field: has_password ? 'password' : 'private_key', fix: 'Stored ones are never shown.' },
  });
}

async function form(call: Call, stored: Feed | null, columns: Html | string): Promise<Html> {
  const { min_feed_cadence_minutes: minMinutes } = requireAccount(call.ctx);
  const actions = stored
    ? html`${button('save', 'Save', { look: 'primary' })}${button('check', 'Check the file')}`
    : html`${button('check', 'Check the file', { look: 'primary' })}${button('create', 'Create the feed')}`;
  return html`${stored ? html`<p><a href="/dashboard/feeds/${stored.id}">Back to the feed</a></p>` : ''}
<form method="post" class="card wide">${feedFields(call, await readDealers(call.ctx), { stored, minMinutes })}
${columns}<p class="actions">${actions}</p></form>${stored ? removal(stored) : ''}`;
}

const removal = ({ name }: Feed) =>
  html`<section><h2>Remove it</h2><div class="card"><p>The file is not fetched any more, and its runs are forgotten. The trucks it brought stay listed.</p>
${buttonForm('remove', 'Remove the feed', {}, { look: 'danger', confirm: `Remove ${name}? Its trucks stay listed.` })}</div></section>`;
