import type * as z from 'zod/mini';
import { audited, beginAct } from '../accounts/audited.ts';
import { type Context, invalid, notFound, onlyDealer, requireAccount } from '../http/context.ts';
import { type PageInput, startPage, toPage } from '../http/keyset.ts';
import { parsePhone } from './contacts.ts';
import { toLeadResponse } from './enquiries.ts';
import { requeueDeliveries } from './queries/deliveries.ts';
import { deleteLead, selectLead, selectLeads, setStatus } from './queries/leads.ts';
import type { Lead, LeadsQuery } from './schemas/leads.ts';
import type { LeadStatus } from './statuses.ts';

/** What the seller does with leads. */

export type LeadsInput = Omit<Partial<z.output<typeof LeadsQuery>>, 'format'> & PageInput;

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
  const lead = await selectLead(ctx.ports.db, requireAccount(ctx).id, id);
  const only = onlyDealer(ctx);
  if (lead === null || (only !== null && lead.dealer !== only)) throw notFound('lead');
  return lead;
}

/** Has what was not delivered tried again at once; returns the lead as it stands then. */
export async function retryDeliveries(ctx: Context, id: string) {
  await findLead(ctx, id);
  await audited(ctx, { action: 'lead.retry', target: id }, ({ ports }) =>
    requeueDeliveries(ports.db, requireAccount(ctx).id, id),
  );
  return readLead(ctx, id);
}

export async function changeLead(ctx: Context, id: string, { status }: { status: LeadStatus }) {
  return audited(ctx, { action: 'lead.change', target: id, detail: { status } }, async (bound) => {
    await setStatus(bound.ports.db, requireAccount(ctx).id, id, status);
    return readLead(bound, id);
  });
}

/** Forgets the visitor: the lead, its transcript and evidence, its conversation, and whatever was still to be sent. */
export async function eraseLead(ctx: Context, id: string): Promise<void> {
  const entry = beginAct(ctx, { action: 'lead.erase', target: id });
  if (!(await deleteLead(ctx.ports.db, requireAccount(ctx).id, id, entry))) throw notFound('lead');
}

export async function readLeadsPage(ctx: Context, { limit, cursor, ...query }: LeadsInput) {
  const { dealer, since, updated_since, email, phone } = query;
  const only = onlyDealer(ctx);
  if (only !== null && dealer !== undefined && dealer !== only) return { items: [], next_cursor: null };
  const filters = {
    ...query,
    dealer: dealer ?? only,
    since: since && new Date(since).toISOString(),
    updated_since: updated_since && new Date(updated_since).toISOString(),
    email: email?.trim().toLowerCase(),
    phone: phone && (await toE164(phone)),
  };
  const page = startPage({ limit, cursor });
  const leads = await selectLeads(ctx.ports.db, requireAccount(ctx).id, filters, page);
  ctx.note({ leads: leads.length });
  return toPage(leads, limit, ({ id }) => id);
}

async function toE164(phone: string): Promise<string> {
  const parsed = await parsePhone(phone);
  if (parsed === null)
    throw invalid('phone', 'must be a phone number', { reason: 'malformed', received: phone });
  return parsed.e164;
}
