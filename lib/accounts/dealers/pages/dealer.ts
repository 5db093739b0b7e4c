import { html } from 'hono/html';
import * as z from 'zod/mini';
import { fields } from '../../../dashboard/parts/fields.ts';
import { actionForm, buttonForm } from '../../../dashboard/parts/form.ts';
import { outboxNote } from '../../../dashboard/parts/mails.ts';
import { badge, copyable, moment } from '../../../dashboard/parts/text.ts';
import { ApiError } from '../../../errors.ts';
import type { Context } from '../../../http/context.ts';
import { NoFields } from '../../../http/pages/form.ts';
import { type Html, type PageCall, page } from '../../../http/pages/page.ts';
import { sendTestLead } from '../../../leads/delivery/test-lead.ts';
import { DELIVERY_KINDS } from '../../../leads/statuses.ts';
import { splitEntries } from '../../pages/split-entries.ts';
import { settingsTabs } from '../../pages/tabs.ts';
import { readDealer, removeDealer } from '../dealers.ts';
import { ClosedOn } from '../hours.ts';
import { changeDealer } from '../save-dealer.ts';
import { type Dealer, DealerCreate, Details } from '../schemas.ts';
import { formatHours, HoursText } from './hours-text.ts';

/** A dealer as a form: the fields of the API, with hours as text. */

const DealerForm = z
  .object({
    name: DealerCreate.shape.name,
    ...z.partial(Details).shape,
    hours: z.optional(z.nullable(HoursText)),
    closed_on: z.optional(z.pipe(z.transform(splitEntries), ClosedOn)),
  })
  .check(
    z.refine(({ hours, closed_on }) => hours || !closed_on, {
      path: ['closed_on'],
      error: 'needs opening hours: fill them in, or leave both empty',
    }),
  );

const toChange = ({ closed_on, hours, ...form }: z.output<typeof DealerForm>) => ({
  ...form,
  hours: hours && closed_on ? { ...hours, closed_on } : hours,
});

function dealerFields(call: PageCall<unknown, unknown>, dealer: Dealer): Html[] {
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

/** One dealer: profile, hours, where its leads go. */
export default page({
  params: z.object({ slug: z.string() }),
  notices: {
    created: 'The dealer is added. Say here when it is open and where leads go.',
    changed: 'The dealer is saved.',
    DEALER_FIELD_UNRECOGNIZED:
      'The dealer is saved, but we cannot read its state or ZIP code, and do not use it to place its trucks. Correct it, such as TX and 78219.',
    tested: 'The test lead is delivered. An unconfirmed address gets a link in it.',
  },
  async show(call) {
    const currentDealer = await readDealer(call.ctx, call.params.slug);
    return {
      title: currentDealer.name,
      main: html`${settingsTabs(call.session, '/dashboard/settings/dealers')}<p><a href="/dashboard/settings/dealers">All dealers</a> <a href="/dashboard/settings/widget?dealer=${currentDealer.slug}">Its widget</a></p>
${actionForm(call, html`${dealerFields(call, currentDealer)}`, 'change', 'Save')}
${testLeads(call.ctx, currentDealer)}<section><h2>Remove it</h2><div class="card"><p>Possible once it has no trucks and no feeds.</p>
${buttonForm('remove', 'Remove the dealer', {}, { look: 'danger', confirm: `Remove ${currentDealer.name}?` })}</div></section>`,
    };
  },
  actions: {
    change: {
      form: DealerForm,
      async run({ ctx, params: { slug }, form, address }) {
        const { lead_webhook_secret: secret, warnings } = await changeDealer(ctx, {
          slug,
          ...toChange(form),
        });
        if (secret === undefined) return { to: address, done: warnings?.[0]?.code ?? 'changed' };
        return {
          title: 'The webhook’s secret',
          main: html`<p>The dealer is saved. With this secret your webhook checks that a call is ours. It is shown only this once.</p>
${copyable(secret, 'secret')}<p><a href="${address}">Back to the dealer, to send a test lead</a></p>`,
        };
      },
    },
    test_lead: {
      form: z.object({ kind: z.enum(DELIVERY_KINDS) }),
      async run({ ctx, params: { slug }, form: { kind }, address }) {
        const { outcome, reason } = await sendTestLead(ctx, slug, kind);
        if (outcome === 'delivered') return { to: address, done: 'tested' };
        throw new ApiError(
          'INVALID_PAYLOAD',
          `The test lead did not arrive: ${describeReason(reason ?? outcome)}.`,
          {
            details: {
              field: kind === 'email' ? 'lead_email' : 'lead_webhook_url',
              fix: 'Check the address above.',
            },
          },
        );
      },
    },
    remove: {
      form: NoFields,
      async run({ ctx, params: { slug } }) {
        await removeDealer(ctx, slug);
        return { to: '/dashboard/settings/dealers', done: 'removed' };
      },
    },
  },
});

const describeReason = (reason: string): string => reason.replaceAll('_', ' ');

/** Each delivery method can be tried. */
function testLeads(
  ctx: Context,
  { lead_email, lead_webhook_url, lead_webhook_check: check }: Dealer,
): Html | string {
  if (lead_email === null && lead_webhook_url === null) return '';
  return html`<section><h2>Test the delivery of leads</h2><div class="card"><p>Sends a lead marked as a test. It is stored nowhere.</p>${lead_email && outboxNote(ctx)}
${check && html`<p>Last test call of the webhook: ${badge(describeReason(check.reason ?? check.outcome), check.outcome === 'delivered' ? 'good' : 'bad')}, ${moment(check.at)}</p>`}<div class="actions">
${lead_email && buttonForm('test_lead', `Send a test lead to ${lead_email}`, { kind: 'email' })}
${lead_webhook_url && buttonForm('test_lead', 'Send a test lead by webhook', { kind: 'webhook' })}</div></div></section>`;
}
