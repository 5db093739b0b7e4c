import { html } from 'hono/html';
import * as z from 'zod/mini';
import { button, field, select } from '../../../dashboard/parts/form.ts';
import { nextPage } from '../../../dashboard/parts/links.ts';
import { invitationLink } from '../../../dashboard/parts/mails.ts';
import { table } from '../../../dashboard/parts/table.ts';
import { empty, moment } from '../../../dashboard/parts/text.ts';
import { NoFields } from '../../../http/pages/form.ts';
import { type Html, page } from '../../../http/pages/page.ts';
import { TIERS } from '../../access.ts';
import { inviteByMail } from '../../people/invite.ts';
import { leaveAccount, lookAtAccount } from '../../people/people.ts';
import { createAccount, listAccounts } from '../accounts.ts';
import { accountState, lookForm, TIER_CHOICES } from './account-state.ts';

const PAGE_SIZE = 50;

const nothing = (q: string | undefined): Html =>
  q === undefined
    ? empty('No account yet', 'An account belongs to one seller.')
    : empty('No account matches', html`<a href="/dashboard/operator">Show all accounts</a>.`);

/** The sellers of this service, for whoever runs it. */
export const operator = page({
  query: z.object({ cursor: z.optional(z.string()), q: z.optional(z.string().check(z.maxLength(254))) }),
  async show(call) {
    const { ctx, query } = call;
    const { q, cursor } = query;
    const { accounts, next_cursor } = await listAccounts(ctx, q ?? null, { limit: PAGE_SIZE, cursor });
    const list = table(
      'Accounts',
      ['Seller', 'Tier', 'State', 'Since', { label: 'Open', isHidden: true }],
      accounts.map((account) => [
        account.name,
        account.tier,
        accountState(account),
        moment(account.created_at),
        html`<div class="actions">${account.erasing ? '' : lookForm(account.id)}<a class="button" href="/dashboard/operator/accounts/${account.id}">Change</a></div>`,
      ]),
    );
    return {
      title: 'Accounts',
      main: html`<form method="get" class="row">${field({ sent: {}, problem: null }, { name: 'q', label: 'Name, e-mail address or id', type: 'search', value: q ?? null, maxLength: 254 })}<button class="plain">Find</button></form>
${accounts.length === 0 ? nothing(q) : list}
${nextPage('/dashboard/operator', { q }, next_cursor)}
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
        const invited = await inviteByMail(ctx, id, who);
        return {
          title: `${name} is added`,
          main: html`${invitationLink(ctx, invited)}<p><a href="/dashboard/operator">All accounts</a></p>`,
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
