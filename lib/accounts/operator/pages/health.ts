import { html } from 'hono/html';
import * as z from 'zod/mini';
import { numeric, table } from '../../../dashboard/parts/table.ts';
import { badge, empty, momentOr, number } from '../../../dashboard/parts/text.ts';
import { type Html, page } from '../../../http/pages/page.ts';
import { readTroubles } from '../../../jobs/troubles.ts';
import { sessionTable } from '../../people/pages/session-table.ts';
import { endSession } from '../../people/people.ts';
import { findSessions } from '../../people/sessions.ts';

/** The feeds and deliveries of all accounts that need a person, and who is signed in as the operator. */
export default page({
  notices: { ended: 'That browser is signed out.' },
  async show({ ctx, session }) {
    const { db } = ctx.ports;
    const [{ feeds, deliveries }, sessions] = await Promise.all([readTroubles(db), findSessions(db, null)]);
    return {
      title: 'Health',
      main: html`<p>How each part of the service does: <code>GET /api/health?deep=1</code> with <code>ADMIN_TOKEN</code>.</p>
<section><h2>Feeds that failed or are held</h2>${feeds.length === 0 ? empty('None', 'The last run of every enabled feed went well.') : feedTable(feeds)}</section>
<section><h2>Leads that could not be delivered, last 7 days</h2>${deliveries.length === 0 ? empty('None', 'Every lead arrived, or is still being tried.') : deliveryTable(deliveries)}</section>
<section><h2>Browsers signed in as the operator</h2><p>A sign-in lasts 12 hours at most, and ends when <code>ADMIN_TOKEN</code> changes.</p>${sessionTable(sessions, session)}</section>`,
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

type Troubles = Awaited<ReturnType<typeof readTroubles>>;

const accountCell = (id: string, name: string): Html =>
  html`<a href="/dashboard/operator/accounts/${id}">${name}</a>`;

function feedTable(feeds: Troubles['feeds']): Html {
  return table(
    'Feeds that failed or are held',
    ['Account', 'Feed', 'Last run', 'Ended', 'Why'],
    feeds.map(({ id, account, feed, status, at, message }) => [
      accountCell(id, account),
      feed,
      status === 'held' ? badge('held', 'warn') : badge('failed', 'bad'),
      momentOr(at, ''),
      message ?? '',
    ]),
  );
}

function deliveryTable(deliveries: Troubles['deliveries']): Html {
  return table(
    'Leads that could not be delivered',
    ['Account', 'Dealer', 'How', numeric('Leads'), 'Last error'],
    deliveries.map(({ id, account, dealer, kind, leads, message }) => [
      accountCell(id, account),
      dealer,
      kind === 'email' ? 'E-mail' : 'Webhook',
      number(leads),
      message?.replaceAll('_', ' ') ?? '',
    ]),
  );
}
