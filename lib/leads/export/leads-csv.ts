import { safeCsv } from '../../http/safe-csv.ts';
import { toTable } from '../../truck/text/table.ts';
import type { Lead } from '../schemas/leads.ts';

/** Columns of the file, in order. */
const COLUMNS: Readonly<Record<string, (lead: Lead) => string | number | null>> = toTable({
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  dealer: ({ dealer }) => dealer,
  status: ({ status }) => status,
  suspicious: ({ suspicious }) => String(suspicious),
  name: ({ name }) => name,
  email: ({ email }) => email,
  phone: ({ phone }) => phone,
  message: ({ message }) => message,
  intent: ({ intent }) => intent,
  details: ({ details }) =>
    Object.entries(details)
      .map(([name, value]) => `${name}: ${value}`)
      .join('; '),
  vin: ({ vin }) => vin,
  year: ({ truck }) => truck?.year ?? null,
  make: ({ truck }) => truck?.make ?? null,
  model: ({ truck }) => truck?.model ?? null,
  price: ({ truck }) => truck?.price ?? null,
  stock_number: ({ truck }) => truck?.stock_number ?? null,
  consent_at: ({ consent }) => consent?.at ?? null,
  consent_text: ({ consent }) => consent?.text ?? null,
  consent_page: ({ consent }) => consent?.page ?? null,
  visitor_id: ({ visitor_id }) => visitor_id,
  conversation_id: ({ conversation_id }) => conversation_id,
});

/** With the byte order mark by which spreadsheets know UTF-8. */
export const LEADS_CSV_HEAD = `\uFEFF${Object.keys(COLUMNS).join(',')}\r\n`;

/** The rows that follow the head. */
export async function formatLeadsCsv(leads: readonly Lead[]): Promise<string> {
  const csv = await safeCsv();
  return csv(leads.map((lead) => Object.values(COLUMNS).map((read) => read(lead))));
}
