import { html } from 'hono/html';
import * as z from 'zod/mini';
import { fields } from '../../../dashboard/parts/fields.ts';
import { actionForm, field } from '../../../dashboard/parts/form.ts';
import { nextPage } from '../../../dashboard/parts/links.ts';
import { table } from '../../../dashboard/parts/table.ts';
import { empty, moment } from '../../../dashboard/parts/text.ts';
import { NoFields } from '../../../http/pages/form.ts';
import { page } from '../../../http/pages/page.ts';
import { Cursor, Id } from '../../../truck/json.ts';
import { lookAtAccount } from '../../people/people.ts';
import { createAccount, listAccounts } from '../accounts.ts';
import { AccountCreate } from '../schemas.ts';
import { accountStatus } from './account.ts';

const PAGE_SIZE = 50;

/** The accounts of this service, for whoever runs it. */
export default page({
  query: z.object({ cursor: Cursor, q: z.optional(z.string().check(z.maxLength(254))) }),
  async show(call) {
    const { q, cursor } = call.query;
    const { accounts, next_cursor } = await listAccounts(call.ctx, q ?? '', { limit: PAGE_SIZE, cursor });
    const list = table(
      'Accounts',
      ['Account', 'Tier', 'Status', 'Since'],
      accounts.map((account) => [
        html`<a href="/dashboard/operator/accounts/${account.id}">${account.name}</a>`,
        account.tier,
        accountStatus(account),
        moment(account.created_at),
      ]),
    );
    const search = {
      name: 'q',
      label: 'Name, e-mail address or id',
      type: 'search',
      value: q ?? '',
    } as const;
    return {
      title: 'Accounts',
      main: html`<form method="get" class="row">${field({ formValues: {}, problem: null }, search)}<button class="plain">Find</button></form>
${accounts.length === 0 ? empty('No such account', 'Look for another name, address or id, or add it below.') : list}
${nextPage('/dashboard/operator', { q }, next_cursor)}
<section><h2>Add an account</h2>${actionForm(call, fields(call, { schema: AccountCreate }, ['name', 'tier']), 'create', 'Add the account')}</section>`,
    };
  },
  actions: {
    create: {
      form: AccountCreate,
      sensitive: true,
      async run({ ctx, form }) {
        const { id } = await createAccount(ctx, form);
        return { to: `/dashboard/operator/accounts/${id}`, done: 'created' };
      },
    },
    enter: {
      form: z.object({ id: Id }),
      async run({ ctx, session, form }) {
        await lookAtAccount(ctx, session.id, form.id);
        return { to: '/dashboard' };
      },
    },
    leave: {
      form: NoFields,
      async run({ ctx, session }) {
        await lookAtAccount(ctx, session.id, null);
        return { to: '/dashboard/operator' };
      },
    },
  },
});
