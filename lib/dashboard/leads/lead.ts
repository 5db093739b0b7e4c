import { html } from 'hono/html';
import * as z from 'zod/mini';
import { Id } from '../../contract/json.ts';
import { LEAD_STATUSES } from '../../contract/leads/lead-states.ts';
import { formatPrice } from '../../domain/text/currency.ts';
import { ApiError } from '../../errors.ts';
import { NoFields } from '../../http/pages/form.ts';
import { type Html, page } from '../../http/pages/page.ts';
import { deliverLeads } from '../../services/leads/delivery/deliver-leads.ts';
import { changeLead, eraseLead, readLead, retryDeliveries } from '../../services/leads/leads.ts';
import { button, buttonForm } from '../parts/form.ts';
import { toQuery } from '../parts/links.ts';
import { facts, table } from '../parts/table.ts';
import { badge, moment, momentOr } from '../parts/text.ts';
import { statusBadge } from './lead-badges.ts';

const Params = z.object({ id: Id });
type Lead = Awaited<ReturnType<typeof readLead>>;

/** One lead: who, what about, what was said and agreed to, where it was sent; answered, sent again, erased. */
export const lead = page({
  params: Params,
  notices: { changed: 'The state is changed.', sent: 'It is being sent again.' },
  async show({ ctx, params, session }) {
    const found = await readLead(ctx, params.id);
    const isOwner = session.person?.role === 'owner';
    return { title: found.name ?? found.email ?? found.phone ?? 'Lead', main: showLead(found, isOwner) };
  },
  actions: {
    change: {
      form: z.object({ status: z.enum(LEAD_STATUSES) }),
      async run({ ctx, params, form }) {
        await changeLead(ctx, params.id, form.status);
        return { to: `/dashboard/leads/${params.id}`, done: 'changed' };
      },
    },
    send_again: {
      form: NoFields,
      async run({ ctx, params }) {
        await retryDeliveries(ctx, params.id);
        ctx.after((ports) => deliverLeads(ports));
        return { to: `/dashboard/leads/${params.id}`, done: 'sent' };
      },
    },
    erase: {
      form: NoFields,
      sensitive: true,
      async run({ ctx, params, session }) {
        if (session.person?.role !== 'owner')
          throw new ApiError('FORBIDDEN', 'Only an owner of the account erases leads.');
        await eraseLead(ctx, params.id);
        return { to: '/dashboard/leads', done: 'erased' };
      },
    },
  },
});

function showLead(found: Lead, isOwner: boolean): Html {
  const { status, suspicious, dealer, created_at, email, phone, truck, vin, updates, transcript } = found;
  const others = toQuery(email === null ? { phone: phone ?? undefined } : { email });
  return html`<p class="actions">${contact(found)}</p>
${facts([
  ['State', statusBadge(status, suspicious)],
  ['Received', moment(created_at)],
  ['Dealer', dealer],
  ['About', about(found)],
  ['VIN', vin ?? 'none'],
  ['Asking price', truck?.price ? formatPrice(truck.price, truck.currency) : 'none'],
  ...asked(found),
  ['E-mail', email ?? 'none'],
  ['Phone', phone ?? 'none'],
])}
<section><h2>Message</h2><blockquote class="card">${found.message}</blockquote>
${updates.map(showUpdate)}
<p><a href="/dashboard/leads${others}">All leads of this person</a></p></section>
<section class="actions">${LEAD_STATUSES.filter((other) => other !== status).map((other) =>
    buttonForm('change', other === 'new' ? 'Mark unanswered' : `Mark ${other}`, { status: other }),
  )}</section>
${deliveries(found)}${transcript.length === 0 ? '' : conversation(transcript)}${consent(found)}
${isOwner ? erasure() : ''}`;
}

const about = ({ truck, vin }: Pick<Lead, 'truck' | 'vin'>): string =>
  truck === null ? (vin ?? 'no truck') : [truck.year, truck.make, truck.model].filter(Boolean).join(' ');

/** A later enquiry: another truck, other words, or another way to answer. */
function showUpdate(update: Lead['updates'][number]): Html {
  const { name, email, phone, vin, truck, message, created_at: at } = update;
  const given: [string, string | null | undefined][] = [
    ['About', vin === null ? null : about(update)],
    ['VIN', vin],
    ['Stock number', truck?.stock_number],
    ['Name', name],
    ['E-mail', email],
    ['Phone', phone],
  ];
  const shown = given.flatMap(([label, value]): [string, string][] => (value ? [[label, value]] : []));
  return html`<blockquote class="card"><p class="hint">Later, ${moment(at)}</p>${message}</blockquote>
${facts([...shown, ...asked(update)])}`;
}

/** What the form asked beside the message, and why the lead may be none. */
function asked({ intent, details, doubts }: Pick<Lead, 'intent' | 'details' | 'doubts'>): [string, string][] {
  return [
    ...(intent === null ? [] : [['Wants', words(intent)] as [string, string]]),
    ...Object.entries(details).map(([name, value]): [string, string] => [words(name), String(value)]),
    ...(doubts.length === 0
      ? []
      : [['May be a robot because', doubts.map(words).join(', ')] as [string, string]]),
  ];
}

/** `best_price` → Best price. */
const words = (name: string) => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ');

function erasure(): Html {
  return html`<section><h2>Erase</h2><p class="hint">Forgets the person, the conversation and what is still to be sent.</p>
${buttonForm('erase', 'Erase this lead', {}, { look: 'danger', confirm: 'This erases the lead for good.' })}</section>`;
}

function contact({ email, phone }: Lead): Html {
  return html`${phone === null ? '' : html`<a class="button primary" href="tel:${phone}">Call</a><a class="button" href="sms:${phone}">Text</a>`}
${email === null ? '' : html`<a class="button" href="mailto:${email}">Reply</a>`}`;
}

const WAYS = { email: 'E-mail', webhook: 'Webhook' } as const;
const STATES = { delivered: 'delivered', pending: 'waiting', dead: 'not delivered' } as const;
const TONES = { delivered: 'good', pending: 'warn', dead: 'bad' } as const;

function deliveries({ delivery, updates }: Lead): Html {
  const all = [...delivery, ...updates.flatMap((update) => update.delivery)];
  const isOpen = all.some(({ status }) => status !== 'delivered');
  const shown =
    all.length === 0
      ? html`<p>The dealer has no address for leads yet. <a href="/dashboard/settings/dealers">Set one</a>, then send this lead.</p>`
      : table(
          'Deliveries',
          [
            { label: 'How' },
            { label: 'State' },
            { label: 'Tries', isNumber: true },
            { label: 'Last answer' },
            { label: 'Next try' },
          ],
          all.map(({ kind, status, attempts, last_error, next_try_at }) => [
            WAYS[kind],
            badge(STATES[status], TONES[status]),
            attempts,
            last_error?.replaceAll('_', ' ') ?? '',
            momentOr(next_try_at, ''),
          ]),
        );
  return html`<section><h2>Sent to the dealer</h2>${shown}
${isOpen || all.length === 0 ? html`<form method="post">${button('send_again', 'Try again')}</form>` : ''}</section>`;
}

function conversation(transcript: Lead['transcript']): Html {
  return html`<section><h2>Conversation</h2><ol class="talk">${transcript.map(
    ({ role, text, at }) =>
      html`<li class="${role}"><b>${role === 'visitor' ? 'Visitor' : 'Assistant'}</b> ${moment(at)}<p>${text}</p></li>`,
  )}</ol></section>`;
}

function consent({ consent: given }: Lead): Html | string {
  if (given === null) return '';
  return html`<section><h2>Consent</h2><p>${given.text ?? ''}</p>${facts([
    ['When', moment(given.at)],
    ['Page', given.page ?? 'unknown'],
    ['Internet address', given.ip],
    ['Browser', given.user_agent ?? 'unknown'],
  ])}</section>`;
}
