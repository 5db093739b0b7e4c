import { html } from 'hono/html';
import * as z from 'zod/mini';
import { fields } from '../../../dashboard/parts/fields.ts';
import { actionForm, buttonForm, hiddenFields } from '../../../dashboard/parts/form.ts';
import { invitationLink } from '../../../dashboard/parts/mails.ts';
import { facts } from '../../../dashboard/parts/table.ts';
import { badge, moment } from '../../../dashboard/parts/text.ts';
import { type Html, page } from '../../../http/pages/page.ts';
import { Email, flag } from '../../../truck/json.ts';
import { inviteByMail } from '../../people/invite.ts';
import { changeAccount, readAccount } from '../accounts.ts';
import { type Account, AccountPatch } from '../schemas.ts';

const AccountForm = z.object({ ...AccountPatch.shape, in_market: flag });
const Owner = z.object({ email: Email });

/** One account: tier, limits, suspension, and a link for its owner. */
export default page({
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  notices: { created: 'The account is added. Invite its owner.', changed: 'The account is changed.' },
  async show(call) {
    const account = await readAccount(call.ctx, call.params.id);
    const form = { schema: AccountForm, stored: account };
    return {
      title: account.name,
      main: html`<p><a href="/dashboard/operator">All accounts</a></p>
${facts([
  ['Account', html`<code>${account.id}</code>`],
  ['Tier', account.tier],
  ['Status', accountStatus(account)],
  ['Since', moment(account.created_at)],
])}
<form method="post" action="/dashboard/operator">${hiddenFields({ id: account.id, action: 'enter' })}<button>Open the account</button></form>
${actionForm(call, fields(call, form, ['name', 'tier', ['limit_multiplier', 'min_feed_cadence_minutes'], 'in_market']), 'change', 'Save')}
${suspension(account)}
<section><h2>Invite its owner</h2>${actionForm(call, fields(call, { schema: Owner }, ['email']), 'invite', 'Make a link')}</section>`,
    };
  },
  actions: {
    change: {
      form: AccountForm,
      sensitive: true,
      async run({ ctx, params, form, address }) {
        await changeAccount(ctx, params.id, form);
        return { to: address, done: 'changed' };
      },
    },
    suspend: {
      form: z.object({ suspended: flag }),
      sensitive: true,
      async run({ ctx, params, form, address }) {
        await changeAccount(ctx, params.id, form);
        return { to: address, done: 'changed' };
      },
    },
    invite: {
      form: Owner,
      sensitive: true,
      async run({ ctx, params, form: { email }, address }) {
        const invited = await inviteByMail(ctx, params.id, { email, role: 'owner' });
        return {
          title: 'A link for the owner',
          main: html`${invitationLink(ctx, invited)}<p><a href="${address}">Back to the account</a></p>`,
        };
      },
    },
  },
});

export function accountStatus({ erasing, erase_at, suspended, test }: Account): Html {
  if (erasing) return html`${badge('being erased', 'bad')} ${erase_at && moment(erase_at)}`;
  if (suspended) return badge('suspended', 'bad');
  return test ? badge('test') : badge('active', 'good');
}

function suspension({ suspended, erasing, name }: Account): Html | string {
  if (erasing) return '';
  const act = buttonForm(
    'suspend',
    suspended ? 'Make it active again' : 'Suspend the account',
    { suspended: String(!suspended) },
    suspended ? {} : { look: 'danger', confirm: `Suspend ${name}?` },
  );
  return html`<section><h2>Suspension</h2><div class="card"><p>A suspended account’s keys and people are refused, and its widget shows no trucks. Nothing is lost.</p>${act}</div></section>`;
}
