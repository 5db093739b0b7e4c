import { html } from 'hono/html';
import { showPhone } from '../../accounts/dealers/phone.ts';
import { nameDealer, readDealers } from '../../dashboard/parts/dealer-select.ts';
import { button, buttonForm } from '../../dashboard/parts/form.ts';
import { toQuery } from '../../dashboard/parts/links.ts';
import { facts, numeric, table } from '../../dashboard/parts/table.ts';
import { badge, moment, momentOr } from '../../dashboard/parts/text.ts';
import { ApiError } from '../../errors.ts';
import { NoFields } from '../../http/pages/form.ts';
import { type Html, page } from '../../http/pages/page.ts';
import { nameTruck } from '../../truck/card/name-truck.ts';
import { formatPrice } from '../../truck/text/currency.ts';
import { toTable } from '../../truck/text/table.ts';
import { deliverAfterAnswer } from '../delivery/deliver.ts';
import { describeRequest } from '../forms.ts';
import { changeLead, eraseLead, readLead, retryDeliveries } from '../leads.ts';
import { type Lead, LeadParams, LeadPatch } from '../schemas/leads.ts';
import { LEAD_STATUSES, type LeadStatus } from '../statuses.ts';

/** One lead: who, what about, what was said and agreed to, where it was sent; answered, sent again, erased. */
export default page({
  params: LeadParams,
  notices: { changed: 'Status changed.', sent: 'It is being sent again.' },
  async show({ ctx, params, session }) {
    const lead = await readLead(ctx, params.id);
    const dealerName = nameDealer(await readDealers(ctx), lead.dealer);
    return {
      title: lead.name ?? lead.email ?? lead.phone ?? 'Lead',
      main: html`${showLead(lead, dealerName)}${session.person?.role === 'owner' && ERASURE}`,
    };
  },
  actions: {
    change: {
      form: LeadPatch,
      async run({ ctx, params, form, address }) {
        await changeLead(ctx, params.id, form);
        return { to: address, done: 'changed' };
      },
    },
    send_again: {
      form: NoFields,
      async run({ ctx, params, address }) {
        await retryDeliveries(ctx, params.id);
        deliverAfterAnswer(ctx);
        return { to: address, done: 'sent' };
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

const ERASURE = html`<section><h2>Erase</h2><p class="hint">Deletes the person and the conversation; cancels what is unsent.</p>
${buttonForm('erase', 'Erase this lead', {}, { look: 'danger', confirm: 'This erases the lead for good.' })}</section>`;

function showLead(lead: Lead, dealerName: string): Html {
  const { status, suspicious, created_at, email, phone, message, updates, transcript, consent } = lead;
  const others = toQuery(email === null ? { phone: phone ?? undefined } : { email });
  return html`<p class="actions">${answerLinks(lead, dealerName)}</p><blockquote class="card">${message}</blockquote>
${facts([
  ['Status', statusBadge(status, suspicious)],
  ['Received', moment(created_at)],
  ['Dealer', dealerName],
  ...toFacts(lead),
])}
${updates.map(
  (
    update,
  ) => html`<blockquote class="card"><p class="hint">Later, ${moment(update.created_at)}</p>${update.message}</blockquote>
${facts(toFacts(update))}`,
)}
<p><a href="/dashboard/leads${others}">All leads of this person</a></p>
<section class="actions">${LEAD_STATUSES.filter((other) => other !== status).map((other) =>
    buttonForm('change', other === 'new' ? 'Mark unanswered' : `Mark ${other}`, { status: other }),
  )}</section>
${showDeliveries(lead)}${transcript.length > 0 && showConversation(transcript)}${consent && showConsent(consent)}`;
}

function answerLinks({ email, phone, vin, truck }: Lead, dealerName: string): Html {
  const about = vin === null ? ` at ${dealerName}` : `: ${truck ? nameTruck(truck) : vin}`;
  const subject = encodeURIComponent(`Your enquiry${about}`);
  return html`${phone && html`<a class="button primary" href="tel:${phone}">Call</a><a class="button" href="sms:${phone}">Text</a>`}
${email && html`<a class="button" href="mailto:${email}?subject=${subject}">Reply</a>`}`;
}

/** What an enquiry says beside its message: the lead's own, or a later one's. */
function toFacts(enquiry: Lead | Lead['updates'][number]): [string, Html | string][] {
  const { truck, vin, name, email, phone, spam_signals: signals } = enquiry;
  const entries: [string, Html | string | null | undefined | 0][] = [
    [
      'About',
      vin &&
        html`<a href="/dashboard/inventory/${encodeURIComponent(vin)}">${truck ? nameTruck(truck) : vin}</a>`,
    ],
    ['VIN', vin],
    ['Stock number', truck?.stock_number],
    ['Asking price', truck?.price && formatPrice(truck.price, truck.currency)],
    ['Name', name],
    ['E-mail', email],
    ['Phone', phone && showPhone(phone)],
    ...describeRequest(enquiry),
    ['Spam signals', signals.map((signal) => SPAM_SIGNALS[signal] ?? signal).join('; ')],
  ];
  return entries.flatMap(([label, value]): [string, Html | string][] => (value ? [[label, value]] : []));
}

const SPAM_SIGNALS: Readonly<Record<string, string>> = toTable({
  honeypot: 'it filled in a field that people do not see',
  bot: 'the browser says that it is a program',
  no_visit: 'no visit to the page in the last day',
  too_fast: 'it was sent within 3 seconds of opening the page',
  busy_address: 'many enquiries come from the same internet address',
});

export function statusBadge(status: LeadStatus, isSuspicious: boolean): Html {
  const leadBadge =
    status === 'new' ? badge('unanswered', 'warn') : badge(status, status === 'contacted' ? 'good' : 'plain');
  return isSuspicious ? html`${leadBadge} ${badge('flagged', 'warn')}` : leadBadge;
}

const STATUS_BADGES = {
  delivered: ['delivered', 'good'],
  pending: ['waiting', 'warn'],
  dead: ['not delivered', 'bad'],
} as const;

/** Shows the deliveries of the lead and of its updates. */
function showDeliveries(lead: Lead): Html {
  const all = [lead, ...lead.updates].flatMap(({ delivery, created_at }) =>
    delivery.map((each) => ({ ...each, created_at })),
  );
  const rows = all.map(({ kind, created_at, status, attempts, last_error, next_try_at }) => {
    const [label, tone] = STATUS_BADGES[status];
    return [
      kind === 'email' ? 'E-mail' : 'Webhook',
      moment(created_at),
      badge(label, tone),
      attempts,
      last_error?.replaceAll('_', ' ') ?? '',
      momentOr(next_try_at, ''),
    ];
  });
  const deliveryList =
    all.length === 0
      ? html`<p>It was sent nowhere. <a href="/dashboard/settings/dealers">Set an address for leads</a>, then press Try again.</p>`
      : table(
          'Deliveries',
          ['How', 'Message of', 'Status', numeric('Tries'), 'Last error', 'Next try'],
          rows,
        );
  const isDone = all.length > 0 && all.every(({ status }) => status === 'delivered');
  return html`<section><h2>Sent to the dealer</h2>${deliveryList}
${isDone ? '' : html`<form method="post">${button('send_again', 'Try again')}</form>`}</section>`;
}

function showConversation(transcript: Lead['transcript']): Html {
  return html`<section><h2>Conversation</h2><ol class="talk">${transcript.map(
    ({ role, text, at }) =>
      html`<li class="${role}"><b>${role === 'visitor' ? 'Visitor' : 'Assistant'}</b> ${moment(at)}<p>${text}</p></li>`,
  )}</ol></section>`;
}

function showConsent({ text, at, page, ip, user_agent }: NonNullable<Lead['consent']>): Html {
  return html`<section><h2>Consent</h2><p>${text}</p>${facts([
    ['When', moment(at)],
    ['Page', page ?? 'unknown'],
    ['Internet address', ip],
    ['Browser', user_agent ?? 'unknown'],
  ])}</section>`;
}
