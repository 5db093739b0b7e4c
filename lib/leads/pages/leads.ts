import { html } from 'hono/html';
import * as z from 'zod/mini';
import { showPhone } from '../../accounts/dealers/phone.ts';
import { dealerSelect, nameDealer, readDealers } from '../../dashboard/parts/dealer-select.ts';
import { buttonForm, field } from '../../dashboard/parts/form.ts';
import { nextPage, toQuery } from '../../dashboard/parts/links.ts';
import { table } from '../../dashboard/parts/table.ts';
import { ago, badge, count, empty, number } from '../../dashboard/parts/text.ts';
import { NoFields } from '../../http/pages/form.ts';
import { type Html, page } from '../../http/pages/page.ts';
import { CSV } from '../../http/safe-csv.ts';
import { nameTruck } from '../../truck/card/name-truck.ts';
import { exportAllLeads, LEADS_FILE, MAX_EXPORTED } from '../export.ts';
import { listLeads } from '../leads.ts';
import { INTENT_NAMES } from '../schemas/intents.ts';
import { LeadsQuery } from '../schemas/leads.ts';
import { statusBadge } from './lead.ts';

const Query = z.omit(LeadsQuery, { updated_since: true, limit: true, format: true });
const PAGE = 50;
const TABS = { '': 'All', new: 'Unanswered', contacted: 'Contacted', closed: 'Closed' };

/** What visitors left, newest first: unanswered ones, one person's, one dealer's. */
export default page({
  query: Query,
  notices: { erased: 'The lead is erased.' },
  async show(call) {
    const { ctx, query } = call;
    const { cursor, ...filters } = query;
    const page = await listLeads(ctx, { ...query, limit: PAGE });
    const tabs = Object.entries(TABS).map(
      ([status, label]) =>
        html`<li><a href="/dashboard/leads${toQuery({ ...filters, status: status || undefined })}"${status === (filters.status ?? '') && html` aria-current="page"`}>${label}</a></li>`,
    );
    const dealers = await readDealers(ctx);
    const form = { formValues: filters as Record<string, string>, problem: call.problem };
    return {
      title: 'Leads',
      main: html`<ul class="tabs">${tabs}</ul>
<form method="get" class="row">${field(form, { name: 'email', label: 'E-mail address' })}${field(form, { name: 'phone', label: 'Phone', type: 'tel' })}${dealerSelect(form, dealers, { none: 'All dealers' })}${field(form, { name: 'since', label: 'Received since', type: 'date' })}<button class="plain">Find</button></form>
${page.leads.length === 0 ? nothing(filters) : leadTable(page.leads, dealers, ctx.ports.clock.now())}
${nextPage('/dashboard/leads', filters, page.next_cursor)}
<div class="actions">${EXPORT}
<span class="hint">All that match, up to the newest ${number(MAX_EXPORTED)}.</span></div>`,
    };
  },
  actions: {
    export: {
      form: NoFields,
      async run({ ctx, query: { cursor: _, ...filters } }) {
        return { filename: LEADS_FILE, type: CSV, body: await exportAllLeads(ctx, filters) };
      },
    },
  },
});

const EXPORT = buttonForm(
  'export',
  'Save as CSV',
  {},
  { confirm: 'Save a file with the names, addresses and messages of these leads?' },
);

const nothing = (filters: Readonly<Record<string, string | undefined>>): Html =>
  toQuery(filters) === ''
    ? empty(
        'No leads here',
        html`What visitors of your site write to you appears here, with a way to answer. They write through the <a href="/dashboard/settings/widget">widget</a> on your site.`,
      )
    : empty('No lead matches', html`Take away a filter, or <a href="/dashboard/leads">show all leads</a>.`);

type Dealers = Awaited<ReturnType<typeof readDealers>>;
type Listed = Awaited<ReturnType<typeof listLeads>>['leads'];

function leadTable(leads: Listed, dealers: Dealers, nowMs: number): Html {
  const rows = leads.map((lead) => {
    const { id, message, intent, name, email, phone, truck, vin, updates, delivery } = lead;
    const later = updates.length > 0 && count(updates.length, 'later enquiry', 'later enquiries');
    const isUndelivered = delivery.some(({ status }) => status === 'dead');
    return [
      html`<a href="/dashboard/leads/${id}">${message.slice(0, 120)}</a>${intent && html` <small>${INTENT_NAMES[intent].en}</small>`}${later && html` <small>and ${later}</small>`}`,
      html`${name ?? email} ${phone && html`<a href="tel:${phone}">${showPhone(phone)}</a>`}`,
      html`${truck ? nameTruck(truck) : vin}${truck?.stock_number && html` <small>Stock ${truck.stock_number}</small>`}`,
      nameDealer(dealers, lead.dealer),
      html`${statusBadge(lead.status, lead.suspicious)} ${isUndelivered && badge('not delivered', 'bad')}`,
      ago(lead.created_at, nowMs),
    ];
  });
  return table('Leads', ['Message', 'Who', 'Truck', 'Dealer', 'Status', 'When'], rows);
}
