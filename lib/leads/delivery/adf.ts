import { html, raw } from 'hono/html';
import type { Dealer } from '../../accounts/dealers/schemas.ts';
import { findUpdatedLeadId } from '../enquiries.ts';
import { describeRequest } from '../forms.ts';
import type { Lead } from '../schemas/leads.ts';

const SOURCE = 'Commercial Truck Inventory Service';

/** What XML 1.0 cannot hold. */
const CONTROL_CHARACTERS = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/**
 * A lead as ADF/XML 1.0 (Auto-lead Data Format), which dealers' CRMs take in by mail. Elements stand in the order of its
 * DTD; year, make and model of a lead about no truck in particular are empty, as CRMs expect. Control characters are left
 * out.
 */
export function formatAdf(lead: Lead, dealer: Dealer): string {
  const { id, created_at, name, email, phone } = lead;
  const document = html`<?xml version="1.0" encoding="UTF-8"?>
<?adf version="1.0"?>
<adf>
<prospect status="new">
<id sequence="1" source="${SOURCE}">${id}</id>
<requestdate>${created_at.replace(/(\.\d+)?Z$/, '+00:00')}</requestdate>
${formatVehicle(lead)}${formatTradeIn(lead)}<customer>
<contact>
<name part="full" type="individual">${name ?? email ?? phone}</name>
${tag('email', email)}${tag('phone', phone, ' type="voice"')}</contact>
${formatTimeframe(lead)}<comments>${formatComments(lead)}</comments>
</customer>
<vendor>
<id source="${SOURCE}">${dealer.slug}</id>
<vendorname>${dealer.name}</vendorname>
${tag('url', dealer.website)}<contact>
<name part="full" type="business">${dealer.name}</name>
<email>${dealer.email ?? dealer.lead_email}</email>
${tag('phone', dealer.phone, ' type="voice"')}</contact>
</vendor>
<provider>
<name part="full" type="business">${SOURCE}</name>
<service>Website widget</service>
</provider>
</prospect>
</adf>
`;
  return String(document).toWellFormed().replace(CONTROL_CHARACTERS, '');
}

/** An element and its line; nothing without a text. */
const tag = (name: string, text: string | number | null | undefined, attributes = '') =>
  text ? html`<${raw(name + attributes)}>${text}</${raw(name)}>\n` : '';

function formatVehicle({ truck, vin, intent, details: { offer, down_payment } }: Lead) {
  const { year, make, model, condition, stock_number, trim, mileage, price } = truck ?? {};
  const currency = truck?.currency ?? 'USD';
  return html`<vehicle interest="buy"${condition && html` status="${condition}"`}>
<year>${year}</year>
<make>${make}</make>
<model>${model}</model>
${tag('vin', vin)}${tag('stock', stock_number)}${tag('trim', trim)}${tag('odometer', mileage, ' units="mi"')}${tag(
  'price',
  offer ?? price,
  ` type="${offer ? 'offer' : 'asking'}" currency="${currency}"`,
)}${tag('pricecomments', offer && price && `Asking price ${price} ${currency}`)}${
  intent === 'finance' &&
  html`<finance>
<method>finance</method>
${tag('amount', down_payment, ' type="downpayment" currency="USD"')}</finance>
`
}</vehicle>
`;
}

/** The truck that the visitor would hand over. */
function formatTradeIn({ intent, details: { year, make, model, vin, mileage, condition } }: Lead) {
  if (intent !== 'trade_in') return '';
  return html`<vehicle interest="trade-in" status="used">
<year>${year}</year>
<make>${make}</make>
<model>${model}</model>
${tag('vin', vin)}${tag('odometer', mileage, ' units="mi"')}${tag('comments', condition)}</vehicle>
`;
}

/** The day on which the visitor wants to come, or have the truck. */
function formatTimeframe({ intent, details: { date, time } }: Lead) {
  if (!date) return '';
  const [what, element] =
    intent === 'appointment' ? ['Appointment', 'earliestdate'] : ['Delivery', 'latestdate'];
  return html`<timeframe>
<description>${[what, date, time].filter(Boolean).join(' ')}</description>
${tag(element, date)}</timeframe>
`;
}

/** All that ADF has no element for. */
function formatComments(enquiry: Lead): string {
  const { id, message, suspicious, spam_signals: signals, consent, marketing, transcript } = enquiry;
  const lead = findUpdatedLeadId(id);
  const lines = transcript.map(
    ({ role, text }) => `${role === 'visitor' ? 'Visitor' : 'Assistant'}: ${text}`,
  );
  return [
    message,
    ...describeRequest(enquiry).map((entry) => entry.join(': ')),
    lead && `Added to the enquiry ${lead}.`,
    suspicious && `Please check: this lead may be automated (${signals.join(', ')}).`,
    consent && `Consent given ${consent.at}${consent.text ? `: "${consent.text}"` : '.'}`,
    marketing && `Text message offers agreed ${marketing.at}: "${marketing.text}"`,
    consent?.page && `Page: ${consent.page}`,
    lines.length > 0 && `Conversation:\n${lines.join('\n')}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}
