import { recordAct } from '../accounts/audited.ts';
import { findDealer } from '../accounts/dealers/find-dealer.ts';
import { type Context, requireAccount } from '../http/context.ts';
import { safeCsv } from '../http/safe-csv.ts';
import { ADF_HEAD, ADF_TAIL, formatProspect } from './delivery/adf.ts';
import { splitEnquiries } from './enquiries.ts';
import { type LeadsInput, readLeadsPage } from './leads.ts';
import type { Lead } from './schemas/leads.ts';

/** Leads as a file, an entry per enquiry. */

/** Leads read at a time. */
const PART = 200;
/** Leads of one file. */
export const MAX_EXPORTED = 10_000;

const COLUMNS = [
  'id',
  'created_at',
  'dealer',
  'status',
  'suspicious',
  'name',
  'email',
  'phone',
  'message',
  'intent',
  'details',
  'vin',
  'year',
  'make',
  'model',
  'price',
  'stock_number',
  'consent_at',
  'consent_text',
  'consent_page',
  'visitor_id',
  'conversation_id',
];

/** `head` of the CSV begins with the byte order mark by which spreadsheets know UTF-8. */
export const FORMATS = {
  csv: {
    filename: 'leads.csv',
    type: 'text/csv; charset=utf-8',
    head: `\uFEFF${COLUMNS.join(',')}\r\n`,
    tail: '',
    format: formatRows,
  },
  adf: {
    filename: 'leads.xml',
    type: 'application/xml; charset=utf-8',
    head: ADF_HEAD,
    tail: ADF_TAIL,
    format: formatProspects,
  },
} as const;

type Export = Omit<LeadsInput, 'limit' | 'cursor'> & { format: keyof typeof FORMATS };

/** One page. */
export async function exportLeads(ctx: Context, { format, ...query }: Export & LeadsInput) {
  const { items, next_cursor } = await readLeadsPage(ctx, query);
  const { head, tail, format: formatPart } = FORMATS[format];
  return { text: head + (await formatPart(ctx, items.flatMap(splitEnquiries))) + tail, next_cursor };
}

/**
 * All that match, in pieces, the newest `MAX_EXPORTED` at most; the account's activity says so. Throws INVALID_PARAMS
 * before the first piece.
 */
export async function exportAllLeads(
  ctx: Context,
  { format, ...query }: Export,
): Promise<AsyncIterable<string>> {
  const first = await readLeadsPage(ctx, { ...query, limit: PART });
  await recordAct(ctx, { action: 'lead.export', target: `leads.${format}` });
  const { head, tail, format: formatPart } = FORMATS[format];
  async function* text() {
    yield head;
    let page = first;
    for (let written = PART; ; written += PART) {
      yield await formatPart(ctx, page.items.flatMap(splitEnquiries));
      if (page.next_cursor === null || written >= MAX_EXPORTED) break;
      page = await readLeadsPage(ctx, { ...query, limit: PART, cursor: page.next_cursor });
    }
    yield tail;
  }
  return text();
}

async function formatRows(_: Context, leads: readonly Lead[]): Promise<string> {
  const csv = await safeCsv();
  return csv(leads.map(toRow));
}

function toRow(lead: Lead) {
  const { truck, details, suspicious, consent } = lead;
  const cells: Record<string, unknown> = {
    ...truck,
    ...lead,
    suspicious: String(suspicious),
    details: Object.entries(details)
      .map((each) => each.join(': '))
      .join('; '),
    consent_at: consent?.at,
    consent_text: consent?.text,
    consent_page: consent?.page,
  };
  return COLUMNS.map((name) => (cells[name] ?? null) as string | number | null);
}

async function formatProspects(ctx: Context, leads: readonly Lead[]): Promise<string> {
  const { id } = requireAccount(ctx);
  const slugs = [...new Set(leads.map(({ dealer }) => dealer))];
  const dealers = await Promise.all(slugs.map((slug) => findDealer(ctx.ports.db, id, slug)));
  return leads
    .map((lead) => {
      const dealer = dealers[slugs.indexOf(lead.dealer)];
      return dealer ? formatProspect(lead, dealer) : '';
    })
    .join('');
}
