import { html } from 'hono/html';
import { readDealers } from '../../dashboard/parts/dealer-select.ts';
import { button } from '../../dashboard/parts/form.ts';
import { parseWith } from '../../http/endpoint.ts';
import { type Html, type PageCall, page } from '../../http/pages/page.ts';
import { requireAccount } from '../../services/context.ts';
import { createFeed } from '../feeds.ts';
import { previewFeed } from '../preview-feed.ts';
import { FeedCreate, FeedPreviewBody } from '../schemas/feeds.ts';
import { chosenColumns } from './chosen-columns.ts';
import { FeedFields, feedFields, toFeedInput, toSent } from './feed-form.ts';
import { columnChoices, previewView, toMapped } from './preview-view.ts';

const TITLE = 'Add a feed';

/** A new feed: where the file is, a look at how it would be read, and then the feed. */
export const newFeed = page({
  show: async (call) => ({ title: TITLE, main: await form(call, '') }),
  actions: {
    check: {
      form: FeedFields,
      async run(call) {
        const { name, dealer, ...reading } = toFeedInput(call.form);
        const body = parseWith(FeedPreviewBody, { ...reading, dealer }, 'INVALID_PAYLOAD');
        const preview = await previewFeed(call.ctx, body);
        const columns = columnChoices(toMapped(preview, chosenColumns(call.form)));
        const again = await form({ ...call, sent: toSent(call.form) }, columns);
        return { title: TITLE, main: html`${previewView(preview)}${again}` };
      },
    },
    create: {
      form: FeedFields,
      async run({ ctx, form: given }) {
        const sent = parseWith(FeedCreate, toFeedInput(given), 'INVALID_PAYLOAD');
        await createFeed(ctx, sent);
        return { to: '/dashboard/feeds', done: 'created' };
      },
    },
  },
});

async function form(call: Pick<PageCall, 'ctx' | 'sent' | 'problem'>, columns: Html | string): Promise<Html> {
  const { min_feed_cadence_minutes: minMinutes } = requireAccount(call.ctx);
  return html`<form method="post" class="card wide">${feedFields(call, await readDealers(call.ctx), { stored: null, minMinutes })}
${columns}<p class="actions">${button('check', 'Check the file', { look: 'primary' })}${button('create', 'Create the feed')}</p></form>`;
}
