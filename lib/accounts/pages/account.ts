import { html } from 'hono/html';
import * as z from 'zod/mini';
import { fields } from '../../dashboard/parts/fields.ts';
import { actionForm, button } from '../../dashboard/parts/form.ts';
import { facts, numeric, table } from '../../dashboard/parts/table.ts';
import { number } from '../../dashboard/parts/text.ts';
import { ApiError } from '../../errors.ts';
import { invalid } from '../../http/context.ts';
import { NoFields } from '../../http/pages/form.ts';
import { type Html, type PageCall, page } from '../../http/pages/page.ts';
import { askForErasure } from '../erase-account.ts';
import { exportAccount } from '../export-account.ts';
import { readOwnAccount } from '../read-own-account.ts';
import { settingsTabs } from './tabs.ts';

const Erasure = z.object({ account_name: z.string() });

/** What the account is, may and uses; its export, and its end. */
export default page({
  async show(call) {
    const account = await readOwnAccount(call.ctx);
    const { limits, usage, counts } = account;
    return {
      title: 'Settings',
      main: html`${settingsTabs(call.session, '/dashboard/settings')}
${facts([
  ['Name', account.name],
  ['Tier', account.tier],
  ['Id', html`<code>${account.id}</code>`],
])}
<section><h2>Usage and limits</h2>${facts([
        ['Calls that each key may make in a minute', number(limits.requests.limit)],
        ['Batches of each key in a minute', number(limits.batches.limit)],
        ['Fastest feed', `every ${number(limits.min_feed_cadence_minutes)} minutes`],
        ['Trucks that are not delisted', limitBar('Trucks', usage.listings, limits.listings)],
        ['Photos', limitBar('Photos', usage.photo_bytes, limits.photo_bytes, gigabytes)],
        ['Feeds', number(counts.feeds)],
      ])}
${table(
  'Calls by key',
  ['Key', numeric('Calls today'), numeric('Calls this month')],
  usage.keys.map(({ name, prefix, day, month }) => [name ?? `${prefix}…`, number(day), number(month)]),
)}<p class="hint">A day of this count begins at midnight UTC. For higher limits write to ${account.contacts.sales}.</p></section>
${isOwner(call.session) && forOwners(call, account.name)}`,
    };
  },
  actions: {
    export: {
      form: NoFields,
      sensitive: true,
      async run({ ctx, session }) {
        checkOwner(session);
        const filename = 'account-export.ndjson';
        return { filename, type: 'application/x-ndjson; charset=utf-8', body: await exportAccount(ctx) };
      },
    },
    erase: {
      form: Erasure,
      sensitive: true,
      async run({ ctx, session, form }) {
        checkOwner(session);
        if (form.account_name.trim() !== session.account?.name)
          throw invalid('account_name', 'must be typed exactly as it is shown');
        await askForErasure(ctx);
        return { to: '/dashboard/erasure' };
      },
    },
  },
});

/** How much of a limit is used. */
const limitBar = (label: string, amount: number, limit: number, write = number): Html =>
  html`${write(amount)} of ${write(limit)}<progress max="${limit}" value="${amount}" aria-label="${label}"></progress>`;

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

const forOwners = (call: PageCall, name: string) =>
  html`<section><h2>Export</h2><form method="post" class="card"><p>A file with all of the account: dealers, trucks with their history, feeds, leads, people and activity. Each line is a JSON object.</p>
${button('export', 'Save the export')}</form></section>
<section><h2>Erase the account</h2><p>Removes every truck, photo, feed, lead, key and person of <strong>${name}</strong>. Its keys and pages are refused at once; everything is removed after 7 days. Until then any owner can undo it.</p>
${actionForm(call, fields(call, { schema: Erasure }, ['account_name']), 'erase', 'Erase everything', { look: 'danger', confirm: `Erase ${name} and everything in it in 7 days?` })}</section>`;

const isOwner = ({ person }: PageCall['session']) => person?.role === 'owner';

function checkOwner(session: PageCall['session']): void {
  if (!isOwner(session)) throw new ApiError('FORBIDDEN', 'Only owners do this.');
}
