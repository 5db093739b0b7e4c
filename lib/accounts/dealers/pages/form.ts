import { html } from 'hono/html';
import * as z from 'zod/mini';
import { fields } from '../../../dashboard/parts/fields.ts';
import type { Html, PageCall } from '../../../http/pages/page.ts';
import { toWords } from '../../pages/to-words.ts';
import { ClosedOn } from '../hours.ts';
import { type Dealer, DealerCreate, Details } from '../schemas.ts';
import { formatHours, HoursText } from './hours-text.ts';

/** A dealer as a form: the fields of the API, with hours as text. */

export const DealerForm = z.object({
  name: DealerCreate.shape.name,
  ...z.partial(Details).shape,
  hours: z.optional(z.nullable(HoursText)),
  closed_on: z.optional(z.pipe(z.transform(toWords), ClosedOn)),
});

export const toChange = ({ closed_on, hours, ...form }: z.output<typeof DealerForm>) => ({
  ...form,
  hours: hours && closed_on ? { ...hours, closed_on } : hours,
});

export function dealerFields(call: Pick<PageCall, 'sent' | 'problem'>, dealer: Dealer): Html[] {
  const { hours } = dealer;
  const stored = { ...dealer, hours: formatHours(hours), closed_on: hours?.closed_on?.join(', ') };
  const section = (title: string, rows: Parameters<typeof fields>[2]) =>
    html`<h2>${title}</h2>${fields(call, { schema: DealerForm, stored }, rows)}`;
  return [
    section('Profile', ['name', ['phone', 'sms'], ['email', 'website'], 'address', ['city', 'state', 'zip']]),
    section('Opening hours', ['hours', ['closed_on', 'time_zone', 'reply_minutes']]),
    section('Where leads go', ['lead_email', 'lead_email_format', 'lead_webhook_url']),
  ];
}
