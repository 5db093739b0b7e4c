import { html } from 'hono/html';
import * as z from 'zod/mini';
import { NoFields } from '../../../http/pages/form.ts';
import { page } from '../../../http/pages/page.ts';
import { changeDealer, readDealer, removeDealer } from '../../../services/accounts/dealers.ts';
import { button, buttonForm } from '../../parts/form.ts';
import { copyable } from '../../parts/text.ts';
import { settingsTabs } from '../tabs.ts';
import { DealerForm, dealerFields, toDealerChange } from './fields.ts';

/** One dealer: profile, hours, where its leads go. */
export const dealer = page({
  params: z.object({ slug: z.string() }),
  notices: {
    created: 'The dealer is added. Say here when it is open and where leads go.',
    changed: 'The dealer is saved.',
  },
  async show(call) {
    const found = await readDealer(call.ctx, call.params.slug);
    return {
      title: found.name,
      main: html`${settingsTabs(call.session, '/dashboard/settings/dealers')}<p><a href="/dashboard/settings/dealers">All dealers</a></p>
<form method="post" class="card">${dealerFields(call, found)}${button('change', 'Save', { look: 'primary' })}</form>
<section><h2>Remove it</h2><div class="card"><p>Possible once it has no trucks and no feeds.</p>
${buttonForm('remove', 'Remove the dealer', {}, { look: 'danger', confirm: `Remove ${found.name}?` })}</div></section>`,
    };
  },
  actions: {
    change: {
      form: DealerForm,
      async run({ ctx, params: { slug }, form }) {
        const change = toDealerChange(slug, form);
        const { lead_webhook_secret } = await changeDealer(ctx, change);
        if (lead_webhook_secret === undefined)
          return { to: `/dashboard/settings/dealers/${slug}`, done: 'changed' };
        return {
          title: 'The webhook’s secret',
          main: html`<p>The dealer is saved. With this secret the webhook checks that a call is ours. It is shown only this once.</p>
${copyable(lead_webhook_secret, 'secret')}<p><a href="/dashboard/settings/dealers/${slug}">Back to the dealer</a></p>`,
        };
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
