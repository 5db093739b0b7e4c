import type { LeadStatus } from '../../contract/leads/lead-states.ts';
import type { Dealer } from '../../ports/dealers.ts';
import type { Lead } from '../../ports/leads.ts';
import { accountOf, type Context, notFound } from '../context.ts';
import { type PageInput, pageOf, startOf } from '../page.ts';
import { adfOf } from './adf.ts';
import { leadsCsv } from './leads-csv.ts';
import { leadView } from './serialize-lead.ts';

/** What the seller does with leads. */

interface LeadsInput extends PageInput {
  dealer?: string | undefined;
  status?: LeadStatus | undefined;
  since?: string | undefined;
}

/** The account's leads, newest first. */
export async function listLeads(ctx: Context, query: LeadsInput) {
  const { items, next_cursor } = await pageOfLeads(ctx, query);
  return { leads: items.map(leadView), next_cursor };
}

/** The same page as a file. */
export async function exportLeads(ctx: Context, query: LeadsInput & { format: 'csv' | 'adf' }) {
  const { items, next_cursor } = await pageOfLeads(ctx, query);
  const text = query.format === 'csv' ? await leadsCsv(items) : await adfOf(await withDealers(ctx, items));
  return { text, next_cursor };
}

export async function changeLead(ctx: Context, id: string, status: LeadStatus) {
  const lead = await ctx.ports.leads.of(accountOf(ctx).id).setStatus(id, status);
  if (lead === null) throw notFound('lead');
  return leadView(lead);
}

/** Forgets the visitor: the lead, its transcript and evidence, its conversation, and whatever was still to be sent. */
export async function eraseLead(ctx: Context, id: string): Promise<void> {
  if (!(await ctx.ports.leads.of(accountOf(ctx).id).erase(id))) throw notFound('lead');
}

async function pageOfLeads(ctx: Context, { dealer, status, since, ...page }: LeadsInput) {
  const from = since === undefined ? null : new Date(since).toISOString();
  const filters = { dealer: dealer ?? null, status: status ?? null, since: from };
  const found = await ctx.ports.leads.of(accountOf(ctx).id).list(filters, startOf(page));
  ctx.note({ leads: found.length });
  return pageOf(found, page.limit, ({ id }) => id);
}

async function withDealers(ctx: Context, leads: readonly Lead[]): Promise<{ lead: Lead; dealer: Dealer }[]> {
  const dealers = ctx.ports.dealers.of(accountOf(ctx).id);
  const slugs = [...new Set(leads.map(({ dealer }) => dealer))];
  const known = new Map(
    await Promise.all(slugs.map(async (slug) => [slug, await dealers.get(slug)] as const)),
  );
  return leads.flatMap((lead) => {
    const dealer = known.get(lead.dealer);
    return dealer ? [{ lead, dealer }] : [];
  });
}
