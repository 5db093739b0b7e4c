import { html } from 'hono/html';
import * as z from 'zod/mini';
import { limitBar } from '../../dashboard/overview/bars.ts';
import { button, field } from '../../dashboard/parts/form.ts';
import { facts, numeric, table } from '../../dashboard/parts/table.ts';
import { moment, number } from '../../dashboard/parts/text.ts';
import { ApiError } from '../../errors.ts';
import { NoFields } from '../../http/pages/form.ts';
import { type Html, page } from '../../http/pages/page.ts';
import { eraseAccount } from '../erase-account.ts';
import { exportAccount } from '../export-account.ts';
import { readOwnAccount } from '../read-own-account.ts';
import { settingsTabs } from './tabs.ts';

/** What the account is, may and uses; its export, and its end. */
export default page({
  async show(call) {
    const found = await readOwnAccount(call.ctx);
    const { limits, usage, counts } = found;
    const isOwner = call.session.person?.role === 'owner';
    return {
      title: 'Settings',
      main: html`${settingsTabs(call.session, '/dashboard/settings')}
${facts([
  ['Seller', found.name],
  ['Tier', found.tier],
  ['Since', moment(found.created_at)],
  ['Account', html`<code>${found.id}</code>`],
])}
<section><h2>Usage and limits</h2>${facts([
        ['Calls that each key may make in a minute', number(limits.requests.limit)],
        ['Files or batches of trucks in a minute', number(limits.batches.limit)],
        ['Trucks in one batch', number(limits.records_per_batch)],
        ['Fastest feed', `every ${number(limits.min_feed_cadence_minutes)} minutes`],
        ['Trucks that are not delisted', limitBar('Trucks', usage.listings, limits.listings)],
        ['Photos', limitBar('Photos', usage.photo_bytes, limits.photo_bytes, gigabytes)],
        ['Feeds', number(counts.feeds)],
      ])}
${usage.keys.length === 0 ? '' : usageTable(usage.keys)}<p class="hint">A day of this count begins at midnight UTC. For higher limits write to ${found.contacts.sales}.</p></section>
${isOwner ? exportForm() : ''}
${isOwner ? erasure(call, found.name) : ''}`,
    };
  },
  actions: {
    export: {
      form: NoFields,
      sensitive: true,
      async run({ ctx, session }) {
        if (session.person?.role !== 'owner')
          throw new ApiError('FORBIDDEN', 'Only owners export an account.');
        const filename = 'account-export.ndjson';
        return { filename, type: 'application/x-ndjson; charset=utf-8', body: await exportAccount(ctx) };
      },
    },
    erase: {
      form: z.object({ name: z.string() }),
      sensitive: true,
      async run({ ctx, session, form }) {
        if (session.person?.role !== 'owner')
          throw new ApiError('FORBIDDEN', 'Only owners erase an account.');
        if (form.name.trim() !== session.account?.name)
          throw new ApiError('INVALID_PAYLOAD', 'The name is not that of the account.', {
            details: { field: 'name', fix: 'Type the name exactly as it is shown.' },
          });
        await eraseAccount(ctx);
        return { to: '/dashboard/erasure' };
      },
    },
  },
});

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

function usageTable(keys: readonly { name: string | null; prefix: string; day: number; month: number }[]) {
  return table(
    'Calls by key',
    ['Key', numeric('Calls today'), numeric('Calls this month')],
    keys.map(({ name, prefix, day, month }) => [
      name ?? html`<code>${prefix}…</code>`,
      number(day),
      number(month),
    ]),
  );
}

function exportForm(): Html {
  return html`<section><h2>Export</h2><form method="post" class="card"><p>A file with all of the account: dealers, trucks with their history, feeds, leads, people and activity. One JSON object on a line.</p>
${button('export', 'Save the export')}</form></section>`;
}

function erasure(call: Parameters<typeof field>[0], name: string) {
  return html`<section><h2>Erase the account</h2><form method="post" class="card">
<p>Removes every truck, photo, feed, lead, key and person of <strong>${name}</strong>. Its keys and pages are refused at once; everything is removed after 7 days. Until then any owner can undo it.</p>
${field(call, { name: 'name', label: 'To confirm, type the name of the account', autocomplete: 'off', isRequired: true })}
${button('erase', 'Erase everything', { look: 'danger', confirm: `Erase ${name} and everything in it in 7 days?` })}</form></section>`;
}
