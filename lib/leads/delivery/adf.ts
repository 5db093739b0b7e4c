import type { Dealer } from '../../accounts/dealers/schemas.ts';
import { updatedLead } from '../enquiries.ts';
import { describeRequest } from '../forms.ts';
import type { Lead } from '../schemas/leads.ts';

export const ADF_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<?adf version="1.0"?>\n<adf>\n';
export const ADF_TAIL = '</adf>\n';

/**
 * Leads as ADF/XML 1.0 (Auto-lead Data Format), which dealers' CRMs take in by mail. Elements stand in the order of its
 * DTD; year, make and model of a lead about no truck in particular are empty, as CRMs expect. Control characters, which
 * XML cannot hold, are left out.
 */
export async function formatAdf(leads: readonly { lead: Lead; dealer: Dealer }[]): Promise<string> {
  return ADF_HEAD + (await formatProspects(leads)) + ADF_TAIL;
}

/** What stands between head and tail. */
export async function formatProspects(leads: readonly { lead: Lead; dealer: Dealer }[]): Promise<string> {
  const { XMLBuilder } = await import('fast-xml-parser');
  const builder = new XMLBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    textNodeName: '#',
    format: true,
    suppressEmptyNode: false,
  });
  return builder.build(
    removeControlCharacters({ prospect: leads.map(({ lead, dealer }) => toProspect(lead, dealer)) }),
  );
}

const SOURCE = 'Commercial Truck Inventory Service';

function toProspect(lead: Lead, dealer: Dealer) {
  return {
    '@status': 'new',
    id: { '@sequence': '1', '@source': SOURCE, '#': lead.id },
    requestdate: lead.created_at.replace(/(\.\d+)?Z$/, '+00:00'),
    vehicle: [toVehicle(lead), ...toTradeIn(lead)],
    customer: {
      contact: {
        name: { '@part': 'full', '@type': 'individual', '#': lead.name ?? lead.email ?? lead.phone ?? '' },
        ...(lead.email === null ? {} : { email: lead.email }),
        ...(lead.phone === null ? {} : { phone: { '@type': 'voice', '#': lead.phone } }),
      },
      ...toTimeframe(lead),
      comments: formatComments(lead),
    },
    vendor: {
      id: { '@source': SOURCE, '#': dealer.slug },
      vendorname: dealer.name,
      ...(dealer.website === null ? {} : { url: dealer.website }),
      contact: {
        name: { '@part': 'full', '@type': 'business', '#': dealer.name },
        email: dealer.email ?? dealer.lead_email ?? '',
        ...(dealer.phone === null ? {} : { phone: { '@type': 'voice', '#': dealer.phone } }),
      },
    },
    provider: { name: { '@part': 'full', '@type': 'business', '#': SOURCE }, service: 'Website widget' },
  };
}

function toVehicle(lead: Lead) {
  const { truck, vin, details } = lead;
  const { offer } = details;
  const price = offer ?? truck?.price;
  const currency = truck?.currency ?? 'USD';
  return {
    '@interest': 'buy',
    ...(truck?.condition ? { '@status': truck.condition } : {}),
    year: truck?.year ?? '',
    make: truck?.make ?? '',
    model: truck?.model ?? '',
    ...(vin === null ? {} : { vin }),
    ...(truck?.stock_number ? { stock: truck.stock_number } : {}),
    ...(truck?.trim ? { trim: truck.trim } : {}),
    ...(truck?.mileage ? { odometer: { '@units': 'mi', '#': truck.mileage } } : {}),
    ...(price ? { price: { '@type': offer ? 'offer' : 'asking', '@currency': currency, '#': price } } : {}),
    ...(offer && truck?.price ? { pricecomments: `Asking price ${truck.price} ${currency}` } : {}),
    ...toFinance(lead),
  };
}

/** The truck that the visitor would hand over. */
function toTradeIn({ intent, details }: Lead) {
  if (intent !== 'trade_in') return [];
  const { year = '', make = '', model = '', vin, mileage, condition } = details;
  return [
    {
      '@interest': 'trade-in',
      '@status': 'used',
      year,
      make,
      model,
      ...(vin ? { vin } : {}),
      ...(mileage ? { odometer: { '@units': 'mi', '#': mileage } } : {}),
      ...(condition ? { comments: condition } : {}),
    },
  ];
}

function toFinance({ intent, details: { down_payment } }: Lead) {
  if (intent !== 'finance') return {};
  const amount = { '@type': 'downpayment', '@currency': 'USD', '#': down_payment };
  return { finance: { method: 'finance', ...(down_payment ? { amount } : {}) } };
}

/** The day on which the visitor wants to come, or have the truck. */
function toTimeframe({ intent, details: { date, time } }: Lead) {
  if (!date) return {};
  const what = intent === 'appointment' ? 'Appointment' : 'Delivery';
  return {
    timeframe: {
      description: [what, date, time].filter(Boolean).join(' '),
      [intent === 'appointment' ? 'earliestdate' : 'latestdate']: date,
    },
  };
}

/** All that ADF has no element for. */
function formatComments(enquiry: Lead): string {
  const { id, message, suspicious, doubts, consent, marketing, transcript } = enquiry;
  const lead = updatedLead(id);
  const said = transcript.map(({ role, text }) => `${role === 'visitor' ? 'Visitor' : 'Assistant'}: ${text}`);
  return [
    message,
    ...describeRequest(enquiry),
    ...(lead === null ? [] : [`Added to the enquiry ${lead}.`]),
    ...(suspicious ? [`Please check: this lead may be automated (${doubts.join(', ')}).`] : []),
    ...(consent === null ? [] : [`Consent given ${consent.at}${consent.text ? `: "${consent.text}"` : '.'}`]),
    ...(marketing === null ? [] : [`Text message offers agreed ${marketing.at}: "${marketing.text}"`]),
    ...(consent?.page ? [`Page: ${consent.page}`] : []),
    ...(said.length > 0 ? [`Conversation:\n${said.join('\n')}`] : []),
  ].join('\n\n');
}

/** The same without what XML 1.0 cannot hold. */
function removeControlCharacters(value: unknown): unknown {
  if (typeof value === 'string')
    return value.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
  if (Array.isArray(value)) return value.map(removeControlCharacters);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, removeControlCharacters(member)]),
  );
}
