import { html } from 'hono/html';
import * as z from 'zod/mini';
import { TIERS } from '../../contract/accounts/access.ts';
import { NoFields } from '../../http/pages/form.ts';
import { page } from '../../http/pages/page.ts';
import { createAccount, listAccounts } from '../../services/accounts/accounts.ts';
import { leaveAccount, lookAtAccount } from '../../services/people/look-at-account.ts';
import { inviteByMail } from '../../services/people/mail-invitation.ts';
import { button, buttonForm, field, select } from '../parts/form.ts';
import { table } from '../parts/table.ts';
import { badge, copyable, empty, moment } from '../parts/text.ts';
import { TIER_CHOICES } from './tiers.ts';

/** The sellers of this service, for whoever runs it. */
export const operator = page({
  query: z.object({ cursor: z.optional(z.string()) }),
  async show(call) {
    const { ctx, query } = call;
    const { accounts, next_cursor } = await listAccounts(ctx, { limit: 50, cursor: query.cursor });
    const list = table(
      'Accounts',
      [
        { label: 'Seller' },
        { label: 'Tier' },
        { label: 'State' },
        { label: 'Since' },
        { label: 'Open', isHidden: true },
      ],
      accounts.map(({ id, name, tier, suspended, test, created_at }) => [
        name,
        tier,
        suspended ? badge('suspended', 'bad') : test ? badge('test') : badge('active', 'good'),
        moment(created_at),
        html`<div class="actions">${buttonForm('enter', 'Look at it', { id })}<a class="button" href="/dashboard/operator/accounts/${id}">Change</a></div>`,
      ]),
    );
    return {
      title: 'Accounts',
      main: html`${accounts.length === 0 ? empty('No account yet', 'An account belongs to one seller.') : list}
${next_cursor ? html`<p><a class="button" href="?cursor=${next_cursor}">More accounts</a></p>` : ''}
<section><h2>Add a seller</h2><form method="post" class="card">
${field(call, { name: 'name', label: 'Name', isRequired: true, maxLength: 200 })}
${select(call, { name: 'tier', label: 'Tier', choices: TIER_CHOICES })}
${field(call, { name: 'email', label: 'The owner’s e-mail address', type: 'email', isRequired: true, maxLength: 254 })}
${button('create', 'Add the seller', { look: 'primary' })}</form></section>`,
    };
  },
  actions: {
    create: {
      form: z.object({
        name: z.string().check(z.maxLength(200)),
        tier: z.enum(TIERS),
        email: z.email('must be an e-mail address').check(z.maxLength(254)),
      }),
      sensitive: true,
      async run({ ctx, form: { name, tier, email } }) {
        const fields = { name, tier, limit_multiplier: 1, min_feed_cadence_minutes: 60 };
        const { id } = await createAccount(ctx, { ...fields, in_market: true, test: false });
        const who = { email, role: 'owner', accountName: name } as const;
        const { url, expires_at, isMailed } = await inviteByMail(ctx, id, who);
        return {
          title: `${name} is added`,
          main: html`<p>${isMailed ? html`The link is mailed to ${email}; you may also hand it over.` : html`Hand this link to ${email}.`} It signs in once, until ${moment(expires_at)}, and is shown only now.</p>
${copyable(url, 'link')}<p><a href="/dashboard/operator">All accounts</a></p>`,
        };
      },
    },
    enter: {
      form: z.object({ id: z.string().check(z.maxLength(64)) }),
      async run({ ctx, session, form }) {
        await lookAtAccount(ctx, session.id, form.id);
        return { to: '/dashboard' };
      },
    },
    leave: {
      form: NoFields,
      async run({ ctx, session }) {
        await leaveAccount(ctx, session.id);
        return { to: '/dashboard/operator' };
      },
    },
  },
});
