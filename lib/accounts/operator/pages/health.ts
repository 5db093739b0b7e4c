import { html } from 'hono/html';
import * as z from 'zod/mini';
import { numeric, table } from '../../../dashboard/parts/table.ts';
import { ago, badge, empty, momentOr, number } from '../../../dashboard/parts/text.ts';
import { type Html, page } from '../../../http/pages/page.ts';
import { readOperations } from '../../../jobs/operations.ts';
import { sessionTable } from '../../people/pages/session-table.ts';
import { endSession } from '../../people/people.ts';
import { findSessions } from '../../people/sessions.ts';

/** How the service does as a whole: queues, feeds and deliveries of all sellers. */
export default page({
  notices: { ended: 'That browser is signed out.' },
  async show({ ctx, session }) {
    const { lastHousekeeping, disk, feeds, deliveries, ...queues } = await readOperations(ctx);
    const nowMs = ctx.ports.clock.now();
    const stats = [
      ['Feed runs waiting', queues.queuedRuns],
      ['Feed runs under way', queues.runningRuns],
      ['Leads to deliver', queues.waitingLeads],
      ['of them tried before', queues.retriedLeads],
      ['Photos to fetch', queues.waitingImages],
      ['Mails to owners', queues.waitingMails],
      ['MB free on the disk', disk.freeMb],
    ] as const;
    return {
      title: 'Health',
      main: html`<ul class="stats">${stats.map(([name, value]) => html`<li>${name} <b>${number(value)}</b></li>`)}</ul>
<p>${lastHousekeeping === null ? 'Housekeeping has not run yet. It does once an hour: if this stays so, look at its cron.' : html`Housekeeping last ended ${ago(lastHousekeeping, nowMs)}.`}</p>
<section><h2>Feeds that fail or wait for their seller</h2>${feeds.length === 0 ? empty('None', 'The last run of every enabled feed went well.') : feedTable(feeds)}</section>
<section><h2>Leads that could not be delivered, last 7 days</h2>${deliveries.length === 0 ? empty('None', 'Every lead arrived, or is still being tried.') : deliveryTable(deliveries)}</section>
<section><h2>Browsers signed in as the operator</h2><p>A sign-in lasts 12 hours at most, and ends when <code>ADMIN_TOKEN</code> changes.</p>${sessionTable(await findSessions(ctx.ports.db, null), session)}</section>`,
    };
  },
  actions: {
    end_session: {
      form: z.object({ id: z.string() }),
      async run({ ctx, form }) {
        await endSession(ctx, form.id, null);
        return { to: '/dashboard/operator/health', done: 'ended' };
      },
    },
  },
});

type Found = Awaited<ReturnType<typeof readOperations>>;

const accountCell = (id: string, name: string): Html =>
  html`<a href="/dashboard/operator/accounts/${id}">${name}</a>`;

function feedTable(feeds: Found['feeds']): Html {
  return table(
    'Feeds that fail or wait',
    ['Seller', 'Feed', 'Last run', 'Ended', 'Why'],
    feeds.map(({ id, account, feed, status, at, message }) => [
      accountCell(id, account),
      feed,
      status === 'held' ? badge('waits for the seller', 'warn') : badge('failed', 'bad'),
      momentOr(at, ''),
      message ?? '',
    ]),
  );
}

function deliveryTable(deliveries: Found['deliveries']): Html {
  return table(
    'Leads that could not be delivered',
    ['Seller', 'Dealer', 'How', numeric('Leads'), 'Last answer'],
    deliveries.map(({ id, account, dealer, kind, leads, message }) => [
      accountCell(id, account),
      dealer,
      kind === 'email' ? 'E-mail' : 'Webhook',
      number(leads),
      message?.replaceAll('_', ' ') ?? '',
    ]),
  );
}
