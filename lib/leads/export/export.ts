import { toAuditEntry } from '../../accounts/audited.ts';
import { findDealer } from '../../accounts/dealers/queries.ts';
import type { Dealer } from '../../accounts/dealers/schemas.ts';
import { addAudit } from '../../accounts/queries/audit.ts';
import { type Context, requireAccount } from '../../http/context.ts';
import { ADF_HEAD, ADF_TAIL, formatProspects } from '../delivery/adf.ts';
import { splitEnquiries } from '../enquiries.ts';
import { type LeadsInput, readLeadsPage } from '../leads.ts';
import type { Lead } from '../schemas/leads.ts';
import { formatLeadsCsv, LEADS_CSV_HEAD } from './leads-csv.ts';

/** Leads as a file, an entry per enquiry. */

export type LeadsFormat = 'csv' | 'adf';

/** Leads read at a time. */
const PART = 200;
/** Leads of one file. */
export const MAX_EXPORTED = 10_000;

/** One page. */
export async function exportLeads(ctx: Context, { format, ...query }: LeadsInput & { format: LeadsFormat }) {
  const { items, next_cursor } = await readLeadsPage(ctx, query);
  const { head, tail } = FRAMES[format];
  return { text: head + (await formatLeads(ctx, items, format)) + tail, next_cursor };
}

/**
 * All that match, in pieces, the newest `MAX_EXPORTED` at most; the account's activity says so. Throws INVALID_PARAMS
 * before the first piece.
 */
export async function exportAllLeads(
  ctx: Context,
  { format, ...query }: Omit<LeadsInput, 'limit' | 'cursor'> & { format: LeadsFormat },
): Promise<AsyncIterable<string>> {
  const first = await readLeadsPage(ctx, { ...query, limit: PART });
  await addAudit(ctx.ports.db, toAuditEntry(ctx, 'lead.export', `leads.${format}`));
  async function* text() {
    yield FRAMES[format].head;
    let page = first;
    for (let written = PART; ; written += PART) {
      yield await formatLeads(ctx, page.items, format);
      if (page.next_cursor === null || written >= MAX_EXPORTED) break;
      page = await readLeadsPage(ctx, { ...query, limit: PART, cursor: page.next_cursor });
    }
    yield FRAMES[format].tail;
  }
  return text();
}

const FRAMES: Readonly<Record<LeadsFormat, { head: string; tail: string }>> = {
  csv: { head: LEADS_CSV_HEAD, tail: '' },
  adf: { head: ADF_HEAD, tail: ADF_TAIL },
};

async function formatLeads(ctx: Context, leads: readonly Lead[], format: LeadsFormat): Promise<string> {
  const enquiries = leads.flatMap(splitEnquiries);
  return format === 'csv' ? formatLeadsCsv(enquiries) : formatProspects(await withDealers(ctx, enquiries));
}

async function withDealers(ctx: Context, leads: readonly Lead[]): Promise<{ lead: Lead; dealer: Dealer }[]> {
  const { id } = requireAccount(ctx);
  const slugs = [...new Set(leads.map(({ dealer }) => dealer))];
  const known = new Map(
    await Promise.all(slugs.map(async (slug) => [slug, await findDealer(ctx.ports.db, id, slug)] as const)),
  );
  return leads.flatMap((lead) => {
    const dealer = known.get(lead.dealer);
    return dealer ? [{ lead, dealer }] : [];
  });
}
