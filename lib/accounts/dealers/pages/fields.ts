import { html } from 'hono/html';
import * as z from 'zod/mini';
import { field, select } from '../../../dashboard/parts/form.ts';
import { ApiError } from '../../../errors.ts';
import { parseWith } from '../../../http/endpoint.ts';
import type { Html, PageCall } from '../../../http/pages/page.ts';
import type { Hours } from '../hours.ts';
import type { Dealer } from '../port.ts';
import { formatHours, readHours } from '../profile/hours-text.ts';
import { DealerPatch } from '../schemas.ts';

/** The fields of a dealer, as a form and as what the service takes. */

const TEXTS = [
  ...(['name', 'phone', 'sms', 'email', 'website', 'address', 'city', 'state', 'zip'] as const),
  ...(['time_zone', 'reply_minutes', 'lead_email', 'lead_email_format', 'lead_webhook_url'] as const),
];
const text = z.optional(z.string().check(z.maxLength(2_000)));

export const DealerForm = z.object({
  ...(Object.fromEntries(TEXTS.map((name) => [name, text])) as Record<(typeof TEXTS)[number], typeof text>),
  hours: text,
  closed_on: text,
});
type DealerInput = z.output<typeof DealerForm>;

/** The change that the form asks for: a blank field clears what is stored. Throws INVALID_PAYLOAD with all that is wrong. */
export function toDealerChange(slug: string, form: DealerInput) {
  const texts = TEXTS.map((name) => {
    const value = form[name]?.trim() ?? null;
    return [name, name === 'reply_minutes' && value !== null ? Number(value) : value];
  });
  const { name, ...rest } = Object.fromEntries(texts);
  const { hours, issues } = toHours(form);
  const body = { slug, ...rest, ...(name === null ? {} : { name }), hours };
  try {
    const change = parseWith(DealerPatch, body, 'INVALID_PAYLOAD');
    if (issues.length === 0) return change;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    issues.push(...((error.details.issues ?? []) as Issue[]));
  }
  const [first] = issues;
  throw new ApiError('INVALID_PAYLOAD', first?.fix ?? '', { details: { ...first, issues } });
}

interface Issue {
  field: string;
  fix: string;
}

/** Null when no day has any. */
function toHours(form: DealerInput): { hours: Hours | null; issues: Issue[] } {
  const { week, unclear } = readHours(form.hours ?? '');
  const closed = (form.closed_on ?? '').split(/[\s,]+/).filter(Boolean);
  const issues = unclear.map((part) => ({
    field: 'hours',
    fix: `“${part.slice(0, 60)}” is not clear. Write it like ${EXAMPLE_HOURS}.`,
  }));
  if (Object.keys(week).length === 0) return { hours: null, issues };
  return { hours: { ...week, ...(closed.length === 0 ? {} : { closed_on: closed }) }, issues };
}

const EXAMPLE_HOURS = 'Mon-Fri 8-5, Sat 9-1';

const MAIL_FORMATS = [
  { value: 'both', label: 'For people and a CRM' },
  { value: 'adf', label: 'For a CRM only (ADF)' },
];

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
<h2>Opening hours</h2>
${field(call, { name: 'hours', label: 'Opening hours', value: formatHours(dealer?.hours ?? null), placeholder: EXAMPLE_HOURS, hint: 'As you would write them on the door. Days that are not named are closed.', maxLength: 500 })}
<div class="row">${field(call, { name: 'closed_on', label: 'Closed on', value: dealer?.hours?.closed_on?.join(', ') ?? null, placeholder: '2026-12-25', maxLength: 1_000 })}
${input('time_zone', 'Time zone', { placeholder: 'America/Chicago' })}${input('reply_minutes', 'Answers within minutes', { type: 'number' })}</div>
<h2>Where leads go</h2>
${input('lead_email', 'Leads by mail to', { type: 'email', hint: 'The first mail has a link that confirms the address.' })}
${select(call, { name: 'lead_email_format', label: 'Format of these mails', value: dealer?.lead_email_format ?? null, choices: MAIL_FORMATS })}
${input('lead_webhook_url', 'Leads by webhook to', { type: 'url', hint: 'https only. It gets a test lead when you save it, and you see what it answered.' })}`;
}
