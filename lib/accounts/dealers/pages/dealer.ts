import { html } from 'hono/html';
import * as z from 'zod/mini';
import { button, buttonForm } from '../../../dashboard/parts/form.ts';
import { outboxNote } from '../../../dashboard/parts/mails.ts';
import { badge, copyable, moment } from '../../../dashboard/parts/text.ts';
import { ApiError } from '../../../errors.ts';
import type { Context } from '../../../http/context.ts';
import { NoFields } from '../../../http/pages/form.ts';
import { type Html, page } from '../../../http/pages/page.ts';
import { sendTestLead } from '../../../leads/delivery/test-lead.ts';
import { DELIVERY_KINDS, type DeliveryKind } from '../../../leads/states.ts';
import { toTable } from '../../../truck/text/table.ts';
import { settingsTabs } from '../../pages/tabs.ts';
import { changeDealer, readDealer, removeDealer } from '../dealers.ts';
import type { Dealer } from '../schemas.ts';
import { DealerForm, dealerFields, toChange } from './form.ts';

/** One dealer: profile, hours, where its leads go. */
export default page({
  params: z.object({ slug: z.string() }),
  notices: {
    created: 'The dealer is added. Say here when it is open and where leads go.',
    changed: 'The dealer is saved.',
    tested_email:
      'The test lead is mailed. Look into the mailbox, and confirm the address by the link in it.',
    tested_webhook: 'Your system took the test lead.',
  },
  async show(call) {
    const found = await readDealer(call.ctx, call.params.slug);
    return {
      title: found.name,
      main: html`${settingsTabs(call.session, '/dashboard/settings/dealers')}<p><a href="/dashboard/settings/dealers">All dealers</a></p>
<form method="post" class="card">${dealerFields(call, found)}${button('change', 'Save', { look: 'primary' })}</form>
${testLeads(call.ctx, found)}<section><h2>Remove it</h2><div class="card"><p>Possible once it has no trucks and no feeds.</p>
${buttonForm('remove', 'Remove the dealer', {}, { look: 'danger', confirm: `Remove ${found.name}?` })}</div></section>`,
    };
  },
  actions: {
    change: {
      form: DealerForm,
      async run({ ctx, params: { slug }, form }) {
        const { lead_webhook_secret } = await changeDealer(ctx, { slug, ...toChange(form) });
        if (lead_webhook_secret === undefined)
          return { to: `/dashboard/settings/dealers/${slug}`, done: 'changed' };
        const sent = await sendTestLead(ctx, slug, 'webhook');
        return {
          title: 'The webhook’s secret',
          main: html`<p>The dealer is saved. ${describeTry(sent)}</p><p>With this secret the webhook checks that a call is ours. It is shown only this once.</p>
${copyable(lead_webhook_secret, 'secret')}<p><a href="/dashboard/settings/dealers/${slug}">Back to the dealer</a></p>`,
        };
      },
    },
    test_lead: {
      form: z.object({ kind: z.enum(DELIVERY_KINDS) }),
      async run({ ctx, params: { slug }, form: { kind } }) {
        const sent = await sendTestLead(ctx, slug, kind);
        if (sent.outcome !== 'delivered') throw notSent(kind, sent.reason ?? sent.outcome);
        return { to: `/dashboard/settings/dealers/${slug}`, done: `tested_${kind}` };
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

/** Each way that leads go can be tried. */
function testLeads(
  ctx: Context,
  { lead_email, lead_webhook_url, lead_webhook_check: check }: Dealer,
): Html | string {
  if (lead_email === null && lead_webhook_url === null) return '';
  return html`<section><h2>Try the way of leads</h2><div class="card"><p>Sends a lead marked as a test. It is stored nowhere.</p>${lead_email === null ? '' : outboxNote(ctx)}
${check === null ? '' : html`<p>Last call of the webhook to try it: ${check.outcome === 'delivered' ? badge('delivered', 'good') : badge((check.reason ?? check.outcome).replaceAll('_', ' '), 'bad')}, ${moment(check.at)}</p>`}<div class="actions">
${lead_email === null ? '' : buttonForm('test_lead', `Send a test lead to ${lead_email}`, { kind: 'email' })}
${lead_webhook_url === null ? '' : buttonForm('test_lead', 'Send a test lead by webhook', { kind: 'webhook' })}</div></div></section>`;
}

/** What a webhook that was just saved said to a test lead. */
function describeTry(sent: Awaited<ReturnType<typeof sendTestLead>>): Html {
  if (sent.outcome === 'delivered') return html`Your system took a test lead.`;
  const reason = (sent.reason ?? sent.outcome).replaceAll('_', ' ');
  return html`<strong class="bad">Your system did not take a test lead: ${reason}.</strong> Check the address, and send another one from the dealer’s page.`;
}

const REASONS: Readonly<Record<string, string>> = toTable({
  smtp_not_configured: 'This service has no mail server yet: whoever runs it has to set one up.',
  test_account: 'Accounts for tests send no mails.',
  no_address: 'Save an address for leads first.',
  waiting_for_confirmation: 'The address got many mails and is not confirmed: press the link in one of them.',
  hourly_limit: 'Too many mails went there in the last hour. Try again later.',
});

function notSent(kind: DeliveryKind, reason: string): ApiError {
  const to = kind === 'email' ? 'mail server' : 'webhook';
  const fix =
    REASONS[reason] ?? `The ${to} answered: ${reason.replaceAll('_', ' ')}. Check the address above.`;
  return new ApiError('INVALID_PAYLOAD', 'The test lead did not arrive.', {
    details: { field: kind === 'email' ? 'lead_email' : 'lead_webhook_url', fix },
  });
}
