import { LeadCaptured } from '../../../lib/contract/widget/widget-lead.ts';
import type { Client } from '../client.ts';
import { SHOWROOM } from './showroom.ts';

/** Visitors of the demo's site who left their details before anybody looked, so that the inbox has leads to answer. */

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

const VISITORS = [
  {
    name: 'Dana Whitfield',
    email: 'dana@whitfieldhaul.example',
    phone: '(817) 555-0134',
    message: 'Is it still there? I could come on Thursday morning with a mechanic.',
    locale: 'en',
  },
  {
    name: 'Martín Salazar',
    phone: '(956) 555-0178',
    message: '¿Cuál es el mejor precio de contado? Lo recojo yo mismo.',
    locale: 'es',
  },
  {
    name: 'Priya Raman',
    email: 'priya.raman@cityworks.example',
    message: 'We need two of these by spring. Please send maintenance records.',
    locale: 'en',
  },
];

/** Each asks about a truck of the showroom. */
export async function sendEnquiries(seller: Client, dealer: string): Promise<void> {
  for (const [index, visitor] of VISITORS.entries())
    await seller.call({
      method: 'POST',
      path: '/v1/widget/lead',
      body: { ...visitor, dealerSlug: dealer, visitorId: `demo-visitor-${index}`, vin: SHOWROOM[index]?.vin },
      answer: LeadCaptured,
      headers: { 'user-agent': BROWSER },
    });
}
