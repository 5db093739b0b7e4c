import type * as z from 'zod/mini';
import { LeadsAnswer } from '../../../lib/contract/leads/leads.ts';
import { nameTruck } from '../../../lib/domain/card/name-truck.ts';
import { describeRequest } from '../../../lib/services/leads/delivery/describe-request.ts';
import type { Client } from '../client.ts';
import { html } from './markup.ts';
import { page, type Site } from './pages.ts';

/** What the dealer receives: the leads of the demo's visitors, as the API lists them. */

type Lead = z.output<typeof LeadsAnswer>['leads'][number];
type Enquiry = Pick<
  Lead,
  'name' | 'email' | 'phone' | 'message' | 'truck' | 'intent' | 'details' | 'created_at'
>;

const POLL_MS = 5_000;

export async function readLeads(api: Client, dealer: string): Promise<Lead[]> {
  const { leads } = await api.call({
    method: 'GET',
    path: `/v1/leads?dealer=${dealer}&limit=50`,
    answer: LeadsAnswer,
  });
  return leads;
}

const describeTruck = ({ truck }: Enquiry) => (truck ? nameTruck(truck) : 'No truck in particular');

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

const enquiry = (
  sent: Enquiry,
) => html`<h3>${sent.name ?? sent.email ?? sent.phone}: ${describeTruck(sent)}</h3>
<p>${moment.format(new Date(sent.created_at))}, ${[sent.email, sent.phone].filter((way) => way !== null).join(', ')}</p>
<ul>${describeRequest(sent).map((line) => html`<li>${line}</li>`)}</ul><blockquote>${sent.message}</blockquote>`;

export function receivedPage(site: Site, leads: readonly Lead[]): string {
  const shown = leads.map((lead) => html`<article>${enquiry(lead)}${lead.updates.map(enquiry)}</article>`);
  return page(
    site,
    'What the dealer received',
    html`<section><h1>What the dealer received</h1>
<p>By mail (without a mail server they are files in the data folder’s outbox), by webhook where one is set, and in the dashboard. Reload for newer ones.</p>
${leads.length === 0 ? html`<p>Nothing yet. Leave your details in the widget.</p>` : shown}</section>
`,
  );
}

/** Prints a line for each enquiry that comes in from now on; ends with the process. */
export async function watchLeads(api: Client, dealer: string, print: (line: string) => void): Promise<void> {
  const count = async () =>
    new Map((await readLeads(api, dealer)).map((lead) => [lead.id, [lead, ...lead.updates] as Enquiry[]]));
  let known = await count();
  setInterval(async () => {
    const now = await count().catch(() => known);
    for (const [id, enquiries] of now)
      for (const each of enquiries.slice(known.get(id)?.length ?? 0))
        print(`Lead from ${each.name ?? each.email ?? each.phone}: ${describeTruck(each)}`);
    known = now;
  }, POLL_MS).unref();
}
