import { html } from 'hono/html';
import * as z from 'zod/mini';
import { DealerPatch } from '../../../contract/dealers/dealers.ts';
import { DAYS, type Hours } from '../../../contract/dealers/hours.ts';
import { ApiError } from '../../../errors.ts';
import { parseWith } from '../../../http/endpoint.ts';
import type { Html, PageCall } from '../../../http/pages/page.ts';
import type { Dealer } from '../../../ports/accounts/dealers.ts';
import { field } from '../../parts/form.ts';

/** The fields of a dealer, as a form and as what the service takes. */

const TEXTS = [
  ...(['name', 'phone', 'sms', 'email', 'website', 'address', 'city', 'state', 'zip'] as const),
  ...(['time_zone', 'reply_minutes', 'lead_email', 'lead_webhook_url'] as const),
];
const WEEK = [...DAYS.slice(1), DAYS[0]] as const;
const NAMES: Readonly<Record<(typeof DAYS)[number], string>> = {
  ...{ mon: 'Monday', tue: 'Tuesday', wed: 'Wednesday', thu: 'Thursday' },
  ...{ fri: 'Friday', sat: 'Saturday', sun: 'Sunday' },
};
const text = z.optional(z.string().check(z.maxLength(2_000)));

export const DealerForm = z.object({
  ...(Object.fromEntries(TEXTS.map((name) => [name, text])) as Record<(typeof TEXTS)[number], typeof text>),
  ...(Object.fromEntries(DAYS.map((day) => [day, text])) as Record<(typeof DAYS)[number], typeof text>),
  closed_on: text,
});
type DealerInput = z.output<typeof DealerForm>;

/** The change that the form asks for: a blank field clears what is stored. Throws INVALID_PAYLOAD. */
export function toDealerChange(slug: string, form: DealerInput) {
  const texts = TEXTS.map((name) => {
    const value = form[name]?.trim() ?? null;
    return [name, name === 'reply_minutes' && value !== null ? Number(value) : value];
  });
  const { name, ...rest } = Object.fromEntries(texts);
  const body = { slug, ...rest, ...(name === null ? {} : { name }), hours: readHours(form) };
  return parseWith(DealerPatch, body, 'INVALID_PAYLOAD');
}

const SPAN = /^(\d{1,2})(?::(\d\d))? ?- ?(\d{1,2})(?::(\d\d))?$/;

/** `8:00 - 18:00, 19:00 - 21:00` by day; null when no day has any. */
function readHours(form: DealerInput): Hours | null {
  const days = DAYS.flatMap((day) => {
    const spans = (form[day] ?? '').split(',').flatMap((span) => readSpan(day, span.trim()));
    return spans.length === 0 ? [] : [[day, spans] as const];
  });
  if (days.length === 0) return null;
  const closed = (form.closed_on ?? '').split(/[\s,]+/).filter(Boolean);
  return { ...Object.fromEntries(days), ...(closed.length === 0 ? {} : { closed_on: closed }) };
}

function readSpan(day: string, span: string) {
  if (span === '') return [];
  const [, from = '', fromMinute = '00', to = '', toMinute = '00'] =
    SPAN.exec(span.replaceAll('–', '-')) ?? [];
  if (from === '')
    throw new ApiError('INVALID_PAYLOAD', `${span} is no opening time.`, {
      details: { field: day, fix: 'Write it like 8:00 - 18:00, with hours from 0 to 24.' },
    });
  return [{ opens: `${from.padStart(2, '0')}:${fromMinute}`, closes: `${to.padStart(2, '0')}:${toMinute}` }];
}

const showSpans = (hours: Hours | null, day: (typeof DAYS)[number]) =>
  (hours?.[day] ?? []).map(({ opens, closes }) => `${opens} - ${closes}`).join(', ');

export function dealerFields(call: Pick<PageCall, 'sent' | 'problem'>, dealer: Dealer | null): Html {
  const input = (
    name: (typeof TEXTS)[number],
    label: string,
    more: Partial<Parameters<typeof field>[1]> = {},
  ) => field(call, { name, label, value: dealer?.[name]?.toString() ?? null, maxLength: 2_000, ...more });
  return html`<h2>Profile</h2>${input('name', 'Name', { isRequired: true })}
<div class="row">${input('phone', 'Phone', { type: 'tel' })}${input('sms', 'Number for text messages', { type: 'tel' })}</div>
<div class="row">${input('email', 'E-mail address', { type: 'email' })}${input('website', 'Web site', { type: 'url', placeholder: 'https://www.dealer.example' })}</div>
${input('address', 'Street')}
<div class="row">${input('city', 'City')}${input('state', 'State')}${input('zip', 'ZIP code')}</div>
<h2>Opening hours</h2><p class="hint">Like 8:00 - 18:00. Leave a day empty when it is closed.</p>
<div class="week">${WEEK.map((day) => field(call, { name: day, label: NAMES[day], value: showSpans(dealer?.hours ?? null, day), maxLength: 60 }))}</div>
<div class="row">${field(call, { name: 'closed_on', label: 'Closed on', value: dealer?.hours?.closed_on?.join(', ') ?? null, placeholder: '2026-12-25', maxLength: 1_000 })}
${input('time_zone', 'Time zone', { placeholder: 'America/Chicago' })}${input('reply_minutes', 'Answers within minutes', { type: 'number' })}</div>
<h2>Where leads go</h2>
${input('lead_email', 'Leads by mail to', { type: 'email', hint: 'As ADF, which CRMs read. The first mail has a link that confirms the address.' })}
${input('lead_webhook_url', 'Leads by webhook to', { type: 'url', hint: 'https only; it is called at once, so that you see whether it works.' })}`;
}
