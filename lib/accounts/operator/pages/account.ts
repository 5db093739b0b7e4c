import { html } from 'hono/html';
import * as z from 'zod/mini';
import { button, buttonForm, choices, field, select } from '../../../dashboard/parts/form.ts';
import { invitationLink } from '../../../dashboard/parts/mails.ts';
import { facts } from '../../../dashboard/parts/table.ts';
import { moment } from '../../../dashboard/parts/text.ts';
import { parseWith } from '../../../http/endpoint.ts';
import { NoFields } from '../../../http/pages/form.ts';
import { type Html, type PageCall, page } from '../../../http/pages/page.ts';
import { TIERS } from '../../access.ts';
import { inviteByMail } from '../../people/invite.ts';
import { changeAccount, readAccount } from '../accounts.ts';
import type { Account } from '../schemas.ts';
import { AccountPatch } from '../schemas.ts';
import { accountState, lookForm, TIER_CHOICES } from './account-state.ts';

/** One seller's account: tier, limits, suspension, and a link for its owner. */
export const account = page({
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  notices: {
    changed: 'The account is changed.',
    suspend: 'The account is suspended: its keys and people are refused.',
    resume: 'The account is active again.',
  },
  async show(call) {
    const found = await readAccount(call.ctx, call.params.id);
    return {
      title: found.name,
      main: html`<p class="actions"><a href="/dashboard/operator">All accounts</a> ${found.erasing ? '' : lookForm(found.id)}</p>
${facts([
  ['Account', html`<code>${found.id}</code>`],
  ['State', accountState(found)],
  ['Since', moment(found.created_at)],
])}
<form method="post" class="card">${field(call, { name: 'name', label: 'Name', value: found.name, isRequired: true, maxLength: 200 })}
${select(call, { name: 'tier', label: 'Tier', value: found.tier, choices: TIER_CHOICES })}
<div class="row">${field(call, { name: 'limit_multiplier', label: 'Factor on its limits, 1 to 100', type: 'number', value: String(found.limit_multiplier) })}
${field(call, { name: 'min_feed_cadence_minutes', label: 'Fastest feed, in minutes', type: 'number', value: String(found.min_feed_cadence_minutes) })}</div>
${choices('checkbox', {
  name: 'states',
  label: 'Market',
  chosen: found.in_market ? ['in_market'] : [],
  choices: [{ value: 'in_market', label: 'Counts in the market', hint: 'not for tests and demonstrations' }],
})}${button('change', 'Save', { look: 'primary' })}</form>
${suspension(found)}
<section><h2>Let its owner in</h2><form method="post" class="card">
${field(call, { name: 'email', label: 'E-mail address', type: 'email', maxLength: 254 })}${button('invite', 'Make a link')}</form></section>`,
    };
  },
  actions: {
    change: {
      form: z.object({
        name: z.string(),
        tier: z.enum(TIERS),
        limit_multiplier: z.string(),
        min_feed_cadence_minutes: z.string(),
        states: z.optional(z.array(z.enum(['in_market']))),
      }),
      sensitive: true,
      async run({ ctx, params, form: { name, tier, states = [], ...numbers } }) {
        const change = {
          name,
          tier,
          limit_multiplier: Number(numbers.limit_multiplier),
          min_feed_cadence_minutes: Number(numbers.min_feed_cadence_minutes),
          in_market: states.includes('in_market'),
        };
        await changeAccount(ctx, params.id, parseWith(AccountPatch, change, 'INVALID_PAYLOAD'));
        return { to: `/dashboard/operator/accounts/${params.id}`, done: 'changed' };
      },
    },
    suspend: setSuspended('suspend', true),
    resume: setSuspended('resume', false),
    invite: {
      form: z.object({ email: z.email('must be an e-mail address').check(z.maxLength(254)) }),
      sensitive: true,
      async run({ ctx, params, form: { email } }) {
        const { name: accountName } = await readAccount(ctx, params.id);
        const who = { email, role: 'owner', accountName } as const;
        const invited = await inviteByMail(ctx, params.id, who);
        return {
          title: 'A link for the owner',
          main: html`${invitationLink(ctx, invited)}<p><a href="/dashboard/operator/accounts/${params.id}">Back to the account</a></p>`,
        };
      },
    },
  },
});

function suspension({
  suspended,
  erasing,
  erase_at,
  name,
}: Pick<Account, 'suspended' | 'erasing' | 'erase_at' | 'name'>): Html | string {
  if (erasing)
    return erase_at === null
      ? ''
      : html`<section><h2>Erasure</h2><p>An owner asked for it. Everything is removed after ${moment(erase_at)}. Until then any owner can undo it.</p></section>`;
  const act = suspended
    ? buttonForm('resume', 'Make it active again')
    : buttonForm('suspend', 'Suspend the account', {}, { look: 'danger', confirm: `Suspend ${name}?` });
  return html`<section><h2>Suspension</h2><div class="card"><p>${suspended ? 'Its keys and people are refused, and its widget shows no trucks.' : 'A suspended account’s keys and people are refused, and its widget shows no trucks. Nothing is lost.'}</p>${act}</div></section>`;
}

function setSuspended(done: string, isSuspended: boolean) {
  return {
    form: NoFields,
    sensitive: true as const,
    async run({ ctx, params }: PageCall<{ id: string }>) {
      await changeAccount(ctx, params.id, { suspended: isSuspended });
      return { to: `/dashboard/operator/accounts/${params.id}`, done };
    },
  };
}
