import { recordAct } from '../accounts/audited.ts';
import type { Context } from '../http/context.ts';
import { safeCsv } from '../http/safe-csv.ts';
import { toList } from '../truck/text/table.ts';
import { splitEnquiries } from './enquiries.ts';
import { type LeadsInput, readLeadsPage } from './leads.ts';
import type { Lead } from './schemas/leads.ts';

/** Leads as a CSV file, a row for each enquiry. */

/** Leads read at a time. */
const PART = 200;
/** Leads of one file. */
export const MAX_EXPORTED = 10_000;

export const LEADS_FILE = 'leads.csv';

const COLUMNS = toList(
  `id, created_at, dealer, status, suspicious, name, email, phone, message, intent, details,
  vin, year, make, model, price, stock_number, consent_at, consent_text, consent_page, visitor_id, conversation_id`,
);

/** It begins with the byte order mark by which spreadsheets know UTF-8. */
const HEAD = `\uFEFF${COLUMNS.join(',')}\r\n`;

/** One page. */
export async function exportLeads(ctx: Context, query: LeadsInput) {
  const { items, next_cursor } = await readLeadsPage(ctx, query);
  return { text: HEAD + (await formatRows(items)), next_cursor };
}

/**
 * All that match, in pieces, the newest `MAX_EXPORTED` at most; the account's activity says so. Throws INVALID_PARAMS
 * before the first piece.
 */
export async function exportAllLeads(
  ctx: Context,
  query: Omit<LeadsInput, 'limit' | 'cursor'>,
): Promise<AsyncIterable<string>> {
  const first = await readLeadsPage(ctx, { ...query, limit: PART });
  await recordAct(ctx, { action: 'lead.export', target: LEADS_FILE });
  async function* text() {
    yield HEAD;
    let page = first;
    for (let written = PART; ; written += PART) {
      yield await formatRows(page.items);
      if (page.next_cursor === null || written >= MAX_EXPORTED) break;
      page = await readLeadsPage(ctx, { ...query, limit: PART, cursor: page.next_cursor });
    }
  }
  return text();
}

async function formatRows(leads: readonly Lead[]): Promise<string> {
  const csv = await safeCsv();
  return csv(leads.flatMap(splitEnquiries).map(toRow));
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
