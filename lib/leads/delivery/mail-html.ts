import { html } from 'hono/html';
import { showPhone } from '../../accounts/dealers/phone.ts';
import type { Dealer } from '../../accounts/dealers/schemas.ts';
import { nameTruck } from '../../truck/card/name-truck.ts';
import { formatPrice } from '../../truck/text/currency.ts';
import { groupDigits } from '../../truck/text/text.ts';
import { describeRequest } from '../forms.ts';
import type { Lead } from '../schemas/leads.ts';

/** Links below the enquiry; null where there is none. */
interface LeadMailLinks {
  confirmUrl: string | null;
  /** Of the lead in the dashboard. */
  leadUrl: string | null;
  /** The lead that the enquiry was added to. */
  earlier: Lead | null;
}

/** The mail about an enquiry as a person reads it on a phone: one column, large type, nothing that has to be loaded. */
export function formatLeadHtml(
  lead: Lead,
  dealer: Dealer,
  { confirmUrl, leadUrl, earlier }: LeadMailLinks,
): string {
  const { name, phone, email, message, consent, suspicious, truck } = lead;
  return String(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="margin:0;padding:16px;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a;background:#fff">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 4px;color:#555">${earlier ? 'Added to an earlier enquiry for' : 'New enquiry for'} ${dealer.name}</p>
<h1 style="margin:0 0 12px;font-size:24px">${name ?? email ?? phone}</h1>
${suspicious && html`<p style="background:#fff3cd;padding:8px 12px">Please check: this enquiry may be automated.</p>`}
${phone && button(`tel:${phone}`, `Call ${showPhone(phone)}`)}
${email && button(`mailto:${email}`, `Write to ${email}`)}
${truck && formatTruck(truck)}
${describeRequest(lead).map((entry) => html`<p style="margin:4px 0">${entry.join(': ')}</p>`)}
<p style="margin:16px 0;padding:12px;background:#f4f4f4;white-space:pre-wrap">${message}</p>
${earlier && formatEarlier(earlier)}
${consent?.page && html`<p style="margin:4px 0">Sent from ${consent.page}</p>`}
${leadUrl && html`<p style="margin:4px 0"><a href="${leadUrl}">Open in the dashboard</a></p>`}
<p style="color:#555;font-size:14px">${formatConsent(consent, dealer.time_zone)}</p>
${
  confirmUrl &&
  html`<p style="border-top:1px solid #ddd;padding-top:12px;font-size:14px">
This address is not confirmed yet, and gets at most 20 enquiries an hour.
<a href="${confirmUrl}">Confirm that enquiries should be sent here</a>.</p>`
}
</div></body></html>`);
}

const button = (href: string, text: string) =>
  html`<p style="margin:8px 0"><a href="${href}" style="display:block;padding:12px;border-radius:8px;background:#0b57d0;color:#fff;text-align:center;text-decoration:none">${text}</a></p>`;

function formatEarlier({ truck, vin, message }: Lead) {
  const about = truck ? nameTruck(truck) : vin;
  return html`<p style="margin:16px 0 0;color:#555">First enquiry${about && ` about ${about}`}:</p>
<p style="margin:4px 0;white-space:pre-wrap">${message}</p>`;
}

function formatTruck({
  trim,
  price,
  currency,
  mileage,
  stock_number,
  vin,
  ...truck
}: NonNullable<Lead['truck']>) {
  const facts = [
    price === null ? 'Call for price' : formatPrice(price, currency),
    mileage !== null && `${groupDigits(mileage)} mi`,
    stock_number && `Stock ${stock_number}`,
    `VIN ${vin}`,
  ];
  return html`<h2 style="margin:12px 0 4px;font-size:20px">${nameTruck(truck)} ${trim}</h2>
<p style="margin:0">${facts.filter(Boolean).join(' · ')}</p>`;
}

function formatConsent(consent: Lead['consent'], timeZone: string | null) {
  if (consent === null) return 'The visitor asked to be contacted about this enquiry.';
  return `Consent given ${formatMoment(consent.at, timeZone)}${consent.text === null ? '.' : `: “${consent.text}”`}`;
}

/** By the dealer's clock, with its zone. */
const formatMoment = (iso: string, timeZone: string | null) =>
  new Date(iso).toLocaleString('en-US', {
    dateStyle: 'medium',
    timeStyle: 'long',
    timeZone: timeZone ?? 'UTC',
  });
