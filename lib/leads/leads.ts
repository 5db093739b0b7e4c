import { audited, toAuditEntry } from '../accounts/audited.ts';
import { type Context, invalid, notFound, onlyDealer, requireAccount } from '../http/context.ts';
import { type PageInput, startPage, toPage } from '../http/page.ts';
import { parsePhone } from './parse-phone.ts';
import type { Lead } from './ports/leads.ts';
import type { LeadStatus } from './schemas/lead-states.ts';
import { toLeadResponse } from './serialize-lead.ts';

/** What the seller does with leads. */

export interface LeadsInput extends PageInput {
  dealer?: string | undefined;
  status?: LeadStatus | undefined;
  since?: string | undefined;
  updated_since?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
}

/** The account's leads, newest first. */
export async function listLeads(ctx: Context, query: LeadsInput) {
  const { items, next_cursor } = await readLeadsPage(ctx, query);
  return { leads: items.map(toLeadResponse), next_cursor };
}

export async function readLead(ctx: Context, id: string) {
  return toLeadResponse(await findLead(ctx, id));
}

/** Another dealer's lead is as absent for a key that reaches one dealer only. */
async function findLead(ctx: Context, id: string): Promise<Lead> {
  const lead = await ctx.ports.leads.of(requireAccount(ctx).id).get(id);
  const only = onlyDealer(ctx);
  if (lead === null || (only !== null && lead.dealer !== only)) throw notFound('lead');
  return lead;
}

/** Has what was not delivered tried again at once; returns the lead as it stands then. */
export async function retryDeliveries(ctx: Context, id: string) {
  await findLead(ctx, id);
  await audited(ctx, { action: 'lead.retry', target: id }, ({ ports }) =>
    ports.leads.of(requireAccount(ctx).id).retryDeliveries(id),
  );
  return readLead(ctx, id);
}

export async function changeLead(ctx: Context, id: string, status: LeadStatus) {
  return audited(ctx, { action: 'lead.change', target: id, detail: { status } }, async ({ ports }) => {
    const lead = await ports.leads.of(requireAccount(ctx).id).setStatus(id, status);
    if (lead === null) throw notFound('lead');
    return toLeadResponse(lead);
  });
}

/** Forgets the visitor: the lead, its transcript and evidence, its conversation, and whatever was still to be sent. */
export async function eraseLead(ctx: Context, id: string): Promise<void> {
  const { requestId, actor } = toAuditEntry(ctx, 'lead.erase', id);
  if (!(await ctx.ports.leads.of(requireAccount(ctx).id).erase(id, { requestId, actor })))
    throw notFound('lead');
}

export async function readLeadsPage(
  ctx: Context,
  { dealer, status, since, updated_since, email, phone, ...page }: LeadsInput,
) {
  const only = onlyDealer(ctx);
  if (only !== null && dealer !== undefined && dealer !== only) return { items: [], next_cursor: null };
  const filters = {
    dealer: dealer ?? only,
    status: status ?? null,
    since: toIso(since),
    updatedSince: toIso(updated_since),
    email: email?.trim().toLowerCase() ?? null,
    phone: await toE164(phone),
  };
  const found = await ctx.ports.leads.of(requireAccount(ctx).id).list(filters, startPage(page));
  ctx.note({ leads: found.length });
  return toPage(found, page.limit, ({ id }) => id);
}

async function toE164(phone: string | undefined): Promise<string | null> {
  if (phone === undefined) return null;
  const parsed = await parsePhone(phone);
  if (parsed === 'unreadable')
    throw invalid('phone', 'must be a phone number', { reason: 'malformed', received: phone });
  return parsed.e164;
}

const toIso = (moment: string | undefined) => (moment === undefined ? null : new Date(moment).toISOString());
