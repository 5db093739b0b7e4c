import { html } from 'hono/html';
import * as z from 'zod/mini';
import { Id } from '../../contract/json.ts';
import { readDealers } from '../../dashboard/parts/dealer-select.ts';
import { button, buttonForm } from '../../dashboard/parts/form.ts';
import { ApiError } from '../../errors.ts';
import { parseWith } from '../../http/endpoint.ts';
import { NoFields } from '../../http/pages/form.ts';
import { type Html, type PageCall, page } from '../../http/pages/page.ts';
import type { Feed } from '../../ports/feeds/feeds.ts';
import { requireAccount } from '../../services/context.ts';
import { changeFeed, readFeed, removeFeed } from '../feeds.ts';
import { previewFeed } from '../preview-feed.ts';
import { FeedPatch, FeedPreviewBody } from '../schemas/feeds.ts';
import { chosenColumns } from './chosen-columns.ts';
import { FeedFields, type FeedInput, feedFields, toFeedInput, toSent } from './feed-form.ts';
import { columnChoices, previewView, toMapped } from './preview-view.ts';

const Params = z.object({ id: Id });
type Call = PageCall<z.output<typeof Params>>;

/** Changes a feed, after a look at how its file would be read; or removes it. */
export const editFeed = page({
  params: Params,
  async show(call) {
    const found = await readFeed(call.ctx, call.params.id);
    return toView(found, await form(call, found, columnChoices(toMapped(null, found.mapping ?? {}))));
  },
  actions: {
    check: {
      form: FeedFields,
      async run(call) {
        const found = await readFeed(call.ctx, call.params.id);
        checkTyped(found, call.form);
        const { name, ...reading } = toFeedInput(call.form);
        const settings = pickReading(found);
        const body = parseWith(FeedPreviewBody, { ...settings, ...reading }, 'INVALID_PAYLOAD');
        const preview = await previewFeed(call.ctx, body);
        const columns = columnChoices(toMapped(preview, chosenColumns(call.form)));
        const again = await form({ ...call, sent: toSent(call.form) }, found, columns);
        return toView(found, html`${previewView(preview)}${again}`);
      },
    },
    save: {
      form: FeedFields,
      async run({ ctx, params: { id }, form: given }) {
        const change = parseWith(FeedPatch, toFeedInput(given), 'INVALID_PAYLOAD');
        await changeFeed(ctx, id, change);
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

const pickReading = ({ defaults, class_from_vin, zero_price_is_call }: Feed) => ({
  defaults,
  class_from_vin,
  zero_price_is_call,
});

const toView = ({ name }: Feed, main: Html) => ({ title: `Change ${name}`, main });

/** A stored secret is not used to look at a file. */
function checkTyped({ has_password, has_private_key }: Feed, given: FeedInput): void {
  const isStored = (has_password || has_private_key) && given.username !== undefined;
  if (!isStored || given.password !== undefined || given.private_key !== undefined) return;
  const why = 'to check the file; saving works without it';
  throw new ApiError('INVALID_PAYLOAD', `Type the password or the private key again: ${why}.`, {
    details: { field: has_password ? 'password' : 'private_key', fix: 'Stored ones are never shown.' },
  });
}

async function form(call: Call, stored: Feed, columns: Html | string): Promise<Html> {
  const { min_feed_cadence_minutes: minMinutes } = requireAccount(call.ctx);
  return html`<p><a href="/dashboard/feeds/${stored.id}">Back to the feed</a></p>
<form method="post" class="card wide">${feedFields(call, await readDealers(call.ctx), { stored, minMinutes })}
${columns}<p class="actions">${button('save', 'Save', { look: 'primary' })}${button('check', 'Check the file')}</p></form>
<section><h2>Remove it</h2><div class="card"><p>The file is not fetched any more, and its runs are forgotten. The trucks it brought stay listed.</p>
${buttonForm('remove', 'Remove the feed', {}, { look: 'danger', confirm: `Remove ${stored.name}? Its trucks stay listed.` })}</div></section>`;
}
