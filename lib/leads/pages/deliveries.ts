import { html } from 'hono/html';
import { button } from '../../dashboard/parts/form.ts';
import { numeric, table } from '../../dashboard/parts/table.ts';
import { badge, moment, momentOr } from '../../dashboard/parts/text.ts';
import type { Html } from '../../http/pages/page.ts';
import type { Lead } from '../schemas/leads.ts';

const WAYS = { email: 'E-mail', webhook: 'Webhook' } as const;
const STATES = { delivered: 'delivered', pending: 'waiting', dead: 'not delivered' } as const;
const TONES = { delivered: 'good', pending: 'warn', dead: 'bad' } as const;

/** Of the lead and of what was added later. */
export function deliveries({ delivery, updates }: Pick<Lead, 'delivery' | 'updates'>): Html {
  const all = [
    ...delivery.map((each) => ({ ...each, of: html`the first message` })),
    ...updates.flatMap((update) =>
      update.delivery.map((each) => ({ ...each, of: html`the one of ${moment(update.created_at)}` })),
    ),
  ];
  const isOpen = all.some(({ status }) => status !== 'delivered');
  const shown =
    all.length === 0
      ? html`<p>The dealer has no address for leads yet. <a href="/dashboard/settings/dealers">Set one</a>, then send this lead.</p>`
      : table(
          'Deliveries',
          ['How', 'Message', 'State', numeric('Tries'), 'Last answer', 'Next try'],
          all.map(({ kind, of, status, attempts, last_error, next_try_at }) => [
            WAYS[kind],
            of,
            badge(STATES[status], TONES[status]),
            attempts,
            last_error?.replaceAll('_', ' ') ?? '',
            momentOr(next_try_at, ''),
          ]),
        );
  return html`<section><h2>Sent to the dealer</h2>${shown}
${isOpen || all.length === 0 ? html`<form method="post">${button('send_again', 'Try again')}</form>` : ''}</section>`;
}
