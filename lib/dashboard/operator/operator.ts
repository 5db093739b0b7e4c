import { html } from 'hono/html';
import * as z from 'zod/mini';
import { NoFields } from '../../http/pages/form.ts';
import { page } from '../../http/pages/page.ts';
import { listAccounts } from '../../services/accounts/accounts.ts';
import { leaveAccount, lookAtAccount } from '../../services/people/look-at-account.ts';
import { buttonForm } from '../parts/form.ts';
import { table } from '../parts/table.ts';
import { badge, empty, moment } from '../parts/text.ts';

/** The sellers of this service, for whoever runs it. */
export const operator = page({
  query: z.object({ cursor: z.optional(z.string()) }),
  async show({ ctx, query }) {
    const { accounts, next_cursor } = await listAccounts(ctx, { limit: 50, cursor: query.cursor });
    if (accounts.length === 0)
      return { title: 'Accounts', main: empty('No account yet', 'An account belongs to one seller.') };
    return {
      title: 'Accounts',
      main: html`${table(
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
          buttonForm('enter', 'Look at it', { id }),
        ]),
      )}${next_cursor ? html`<p><a href="?cursor=${next_cursor}">More accounts</a></p>` : ''}`,
    };
  },
  actions: {
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
