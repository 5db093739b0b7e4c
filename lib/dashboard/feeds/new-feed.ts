import { html } from 'hono/html';
import * as z from 'zod/mini';
import { FeedCreate, FeedPreviewBody } from '../../contract/feeds/feeds.ts';
import { parseWith } from '../../http/endpoint.ts';
import { type Html, type PageCall, page } from '../../http/pages/page.ts';
import { audited } from '../../services/accounts/audited.ts';
import { createFeed } from '../../services/feeds/feeds.ts';
import { previewFeed } from '../../services/feeds/preview-feed.ts';
import { button, field } from '../parts/form.ts';
import { previewView } from './preview-view.ts';

const Text = z.optional(z.string());
const Fields = z.object({
  ...{ name: Text, url: Text, username: Text, password: Text, host_key_sha256: Text },
  ...{ source_provider_id: Text, dealer: Text },
});
type Given = z.output<typeof Fields>;

/** A new feed: where the file is, a look at how it would be read, and then the feed. */
export const newFeed = page({
  show: async (call) => ({ title: 'Add a feed', main: form(call) }),
  actions: {
    check: {
      form: Fields,
      async run(call) {
        const { name, ...reading } = call.form;
        const body = parseWith(FeedPreviewBody, reading, 'INVALID_PAYLOAD');
        const preview = await previewFeed(call.ctx, body);
        return {
          title: 'Add a feed',
          main: html`${form({ ...call, sent: toSent(call.form) })}${previewView(preview)}`,
        };
      },
    },
    create: {
      form: Fields,
      async run({ ctx, form: given }) {
        const sent = parseWith(FeedCreate, given, 'INVALID_PAYLOAD');
        await audited(ctx, { action: 'feed.create', target: sent.name }, (own) => createFeed(own, sent));
        return { to: '/dashboard/feeds', done: 'created' };
      },
    },
  },
});

const toSent = (given: Given) =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

function form(call: Pick<PageCall, 'sent' | 'problem'>): Html {
  return html`<form method="post" class="card">
${field(call, { name: 'name', label: 'Name', placeholder: 'Nightly export', maxLength: 200 })}
${field(call, { name: 'url', label: 'Where the file is', type: 'url', isRequired: true, placeholder: 'https://dms.example/trucks.csv', hint: 'https:// or sftp://. CSV, Excel, JSON or XML, also packed.' })}
${field(call, { name: 'username', label: 'User name', autocomplete: 'off', hint: 'Where the server asks for one.' })}
${field(call, { name: 'password', label: 'Password', type: 'password', autocomplete: 'off' })}
${field(call, { name: 'host_key_sha256', label: 'Fingerprint of the SFTP server', autocomplete: 'off', hint: 'Leave it empty and check the file: the answer shows the fingerprint to compare.' })}
${field(call, { name: 'source_provider_id', label: 'System that the file comes from', hint: 'A short name of your choice, the same as in your API calls.' })}
${field(call, { name: 'dealer', label: 'Dealer', hint: 'Slug of the dealer of rows that name none.' })}
<p class="actions">${button('check', 'Check the file', { look: 'primary' })}${button('create', 'Create the feed')}</p></form>`;
}
