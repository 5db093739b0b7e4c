import { html } from 'hono/html';
import * as z from 'zod/mini';
import { showPhone } from '../../accounts/dealers/phone.ts';
import { nameDealer, readDealers } from '../../dashboard/parts/dealer-select.ts';
import { buttonForm } from '../../dashboard/parts/form.ts';
import { toQuery } from '../../dashboard/parts/links.ts';
import { facts } from '../../dashboard/parts/table.ts';
import { moment } from '../../dashboard/parts/text.ts';
import { ApiError } from '../../errors.ts';
import { NoFields } from '../../http/pages/form.ts';
import { type Html, page } from '../../http/pages/page.ts';
import { nameTruck } from '../../truck/card/name-truck.ts';
import { Id } from '../../truck/json.ts';
import { formatPrice } from '../../truck/text/currency.ts';
import { toTable } from '../../truck/text/table.ts';
import { deliverAfterAnswer } from '../delivery/deliver.ts';
import { changeLead, eraseLead, readLead, retryDeliveries } from '../leads.ts';
import { LEAD_STATUSES } from '../states.ts';
import { deliveries } from './deliveries.ts';
import { statusBadge } from './lead-badges.ts';

const Params = z.object({ id: Id });
type Lead = Awaited<ReturnType<typeof readLead>> & { dealerName: string };

/** One lead: who, what about, what was said and agreed to, where it was sent; answered, sent again, erased. */
export const lead = page({
  params: Params,
  notices: { changed: 'The state is changed.', sent: 'It is being sent again.' },
  async show({ ctx, params, session }) {
    const found = await readLead(ctx, params.id);
    const isOwner = session.person?.role === 'owner';
    const dealerName = nameDealer(await readDealers(ctx), found.dealer);
    const main = showLead({ ...found, dealerName }, isOwner);
    return { title: found.name ?? found.email ?? found.phone ?? 'Lead', main };
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
        deliverAfterAnswer(ctx);
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
  const { status, suspicious, dealerName, created_at, email, phone, updates, transcript } = found;
  const others = toQuery(email === null ? { phone: phone ?? undefined } : { email });
  return html`<p class="actions">${contact(found)}</p>
${facts([
  ['State', statusBadge(status, suspicious)],
  ['Received', moment(created_at)],
  ['Dealer', dealerName],
  ...aboutTruck(found),
  ...asked(found),
  ['E-mail', email ?? 'none'],
  ['Phone', phone === null ? 'none' : showPhone(phone)],
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
  truck === null ? (vin ?? 'no truck') : nameTruck(truck);

/** Nothing of an enquiry about no truck. */
function aboutTruck(found: Pick<Lead, 'truck' | 'vin'>): [string, Html | string][] {
  const { truck, vin } = found;
  if (vin === null) return [];
  return [
    ['About', html`<a href="/dashboard/inventory/${encodeURIComponent(vin)}">${about(found)}</a>`],
    ['VIN', vin],
    ...(truck?.price ? [['Asking price', formatPrice(truck.price, truck.currency)] as [string, string]] : []),
  ];
}

/** A later enquiry: another truck, other words, or another way to answer. */
function showUpdate(update: Lead['updates'][number]): Html {
  const { name, email, phone, vin, truck, message, created_at: at } = update;
  const given: [string, string | null | undefined][] = [
    ['About', vin === null ? null : about(update)],
    ['VIN', vin],
    ['Stock number', truck?.stock_number],
    ['Name', name],
    ['E-mail', email],
    ['Phone', phone === null ? null : showPhone(phone)],
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
      : [
          ['May be a robot because', doubts.map((doubt) => DOUBTS[doubt] ?? words(doubt)).join('; ')] as [
            string,
            string,
          ],
        ]),
  ];
}

const DOUBTS: Readonly<Record<string, string>> = toTable({
  honeypot: 'it filled in a field that people do not see',
  bot: 'the browser says that it is a program',
  no_visit: 'it came without opening the page first',
  too_fast: 'it was sent within 3 seconds of opening the page',
  busy_address: 'many enquiries come from the same internet address',
});

/** `best_price` → Best price. */
const words = (name: string) => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ');

function erasure(): Html {
  return html`<section><h2>Erase</h2><p class="hint">Forgets the person, the conversation and what is still to be sent.</p>
${buttonForm('erase', 'Erase this lead', {}, { look: 'danger', confirm: 'This erases the lead for good.' })}</section>`;
}

function contact(found: Lead): Html {
  const { name, email, phone, dealerName } = found;
  const subject = found.vin === null ? `Your enquiry at ${dealerName}` : `Your enquiry: ${about(found)}`;
  const greeting = `Hello${name === null ? '' : ` ${name}`},\n\n\n\nYou wrote:\n${found.message.slice(0, 500)}`;
  return html`${phone === null ? '' : html`<a class="button primary" href="tel:${phone}">Call</a><a class="button" href="sms:${phone}">Text</a>`}
${email === null ? '' : html`<a class="button" href="mailto:${email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(greeting)}">Reply</a>`}`;
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
