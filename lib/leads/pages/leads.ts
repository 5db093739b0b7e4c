import { html } from 'hono/html';
import * as z from 'zod/mini';
import { dealerSelect, nameDealer, readDealers } from '../../dashboard/parts/dealer-select.ts';
import { buttonForm, field, select } from '../../dashboard/parts/form.ts';
import { nextPage, toQuery } from '../../dashboard/parts/links.ts';
import { table } from '../../dashboard/parts/table.ts';
import { ago, count, empty, number } from '../../dashboard/parts/text.ts';
import { type Html, page } from '../../http/pages/page.ts';
import { nameTruck } from '../../truck/card/name-truck.ts';
import { Cursor, SlugLike } from '../../truck/json.ts';
import { DAY_MS } from '../../truck/time.ts';
import { exportAllLeads, MAX_EXPORTED } from '../export/export.ts';
import { listLeads } from '../leads.ts';
import { LEAD_STATUSES } from '../states.ts';
import { deliveryBadge, statusBadge } from './lead-badges.ts';

const Text = z.optional(z.string().check(z.maxLength(254)));
const Query = z.object({
  status: z.optional(z.enum(LEAD_STATUSES)),
  dealer: z.optional(SlugLike),
  email: Text,
  phone: Text,
  cursor: Cursor,
  days: z.optional(z.enum(['1', '7', '30'])),
});
const PAGE = 50;
const TABS = [
  [undefined, 'All'],
  ['new', 'Unanswered'],
  ['contacted', 'Contacted'],
  ['closed', 'Closed'],
] as const;

/** The truck of the first enquiry, and how many later ones there are. */
function nameTrucks({ truck, vin, updates }: Pick<Listed[number], 'truck' | 'vin' | 'updates'>): Html {
  const name = truck === null ? (vin ?? '') : nameTruck(truck);
  return html`${name}${updates.length === 0 ? '' : html` <small>and ${count(updates.length, 'later enquiry', 'later enquiries')}</small>`}`;
}

/** What visitors left, newest first: unanswered ones, one person's, one dealer's. */
export const leads = page({
  query: Query,
  notices: { erased: 'The lead is erased.' },
  async show(call) {
    const { ctx, query } = call;
    const { cursor, ...filters } = query;
    const asked = toLeadsInput(filters, ctx.ports.clock.now());
    const found = await listLeads(ctx, { ...asked, cursor, limit: PAGE });
    const tabs = TABS.map(
      ([status, label]) =>
        html`<li><a href="/dashboard/leads${toQuery({ ...filters, status })}"${status === filters.status ? html` aria-current="page"` : ''}>${label}</a></li>`,
    );
    const dealers = await readDealers(ctx);
    const given = { sent: filters as Record<string, string>, problem: call.problem };
    return {
      title: 'Leads',
      main: html`<ul class="tabs">${tabs}</ul>
<form method="get" class="row">${field(given, { name: 'email', label: 'E-mail address' })}${field(given, { name: 'phone', label: 'Phone', type: 'tel' })}${dealerSelect(given, dealers, { none: 'All dealers' })}${select(given, { name: 'days', label: 'Received', choices: AGES })}<button class="plain">Find</button></form>
${found.leads.length === 0 ? nothing(filters) : leadTable(found.leads, dealers, ctx.ports.clock.now())}
${nextPage('/dashboard/leads', filters, found.next_cursor)}
<div class="actions">${exportForm('csv')}${exportForm('adf')}
<span class="hint">All that match, up to the newest ${number(MAX_EXPORTED)}.</span></div>`,
    };
  },
  actions: {
    export: {
      form: z.object({ format: z.enum(['csv', 'adf']) }),
      async run({ ctx, query: { cursor: _, ...filters }, form: { format } }) {
        const asked = toLeadsInput(filters, ctx.ports.clock.now());
        return { ...FILES[format], body: await exportAllLeads(ctx, { ...asked, format }) };
      },
    },
  },
});

const FILES = {
  csv: { filename: 'leads.csv', type: 'text/csv; charset=utf-8' },
  adf: { filename: 'leads.xml', type: 'application/xml; charset=utf-8' },
} as const;

const exportForm = (format: keyof typeof FILES): Html =>
  buttonForm(
    'export',
    `Save as ${format.toUpperCase()}`,
    { format },
    { confirm: 'Save a file with the names, addresses and messages of these leads?' },
  );

const nothing = (filters: Readonly<Record<string, string | undefined>>): Html =>
  toQuery(filters) === ''
    ? empty(
        'No leads here',
        html`What visitors of your site write to you appears here, with a way to answer. They write through the <a href="/dashboard/settings/widget">widget</a> on your site.`,
      )
    : empty('No lead matches', html`Take away a filter, or <a href="/dashboard/leads">show all leads</a>.`);

const AGES = [
  { value: '', label: 'At any time' },
  { value: '1', label: 'In the last 24 hours' },
  { value: '7', label: 'In the last 7 days' },
  { value: '30', label: 'In the last 30 days' },
];

function toLeadsInput({ days, ...filters }: Omit<z.output<typeof Query>, 'cursor'>, nowMs: number) {
  if (days === undefined) return filters;
  return { ...filters, since: new Date(nowMs - Number(days) * DAY_MS).toISOString() };
}

type Dealers = Awaited<ReturnType<typeof readDealers>>;
type Listed = Awaited<ReturnType<typeof listLeads>>['leads'];

function leadTable(listed: Listed, dealers: Dealers, nowMs: number): Html {
  return table(
    'Leads',
    ['Who', 'When', 'Message', 'Truck', 'Dealer', 'State'],
    listed.map(
      ({ id, name, email, phone, created_at, message, dealer, status, suspicious, delivery, ...lead }) => [
        html`<a href="/dashboard/leads/${id}">${name ?? email ?? phone ?? 'Unknown'}</a>`,
        ago(created_at, nowMs),
        message.slice(0, 120),
        nameTrucks(lead),
        nameDealer(dealers, dealer),
        html`${statusBadge(status, suspicious)} ${deliveryBadge(delivery)}`,
      ],
    ),
  );
}
