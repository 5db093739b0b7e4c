import { html } from 'hono/html';
import * as z from 'zod/mini';
import { fields } from '../../../dashboard/parts/fields.ts';
import { button, buttonForm } from '../../../dashboard/parts/form.ts';
import { invitationLink } from '../../../dashboard/parts/mails.ts';
import { table } from '../../../dashboard/parts/table.ts';
import { badge, count, moment, momentOr } from '../../../dashboard/parts/text.ts';
import { requireAccount } from '../../../http/context.ts';
import { type Html, type PageCall, page } from '../../../http/pages/page.ts';
import { ROLES } from '../../access.ts';
import { updateAlertsWanted } from '../../alerts/queries.ts';
import { settingsTabs } from '../../pages/tabs.ts';
import { inviteByMail } from '../invite.ts';
import { changeRole, endSession, listPeople, removePerson } from '../people.ts';

const Role = z.enum(ROLES);
const Invitation = z.object({
  email: z.email('must be an e-mail address').check(z.maxLength(254)),
  role: Role,
});
const Id = z.object({ id: z.string() });
const BY_CODE = '/dashboard/sign-in?fresh=true&next=%2Fdashboard%2Fsettings%2Fpeople';

/** Who may sign in to the account, with which browsers, and how to let another person in. */
export const people = page({
  notices: {
    changed: 'The role is changed.',
    removed: 'The person is removed, and signed out everywhere.',
    ended: 'That browser is signed out.',
    mails_on: 'You get a mail when something needs you, at most once a day each.',
    mails_off: 'You get no such mails any more.',
  },
  show: async (call) => ({ title: 'People', main: await showPeople(call, null) }),
  actions: {
    invite: {
      form: Invitation,
      sensitive: true,
      async run(call) {
        const accountName = call.session.account?.name ?? '';
        const who = { ...call.form, accountName };
        const link = await inviteByMail(call.ctx, requireAccount(call.ctx).id, who);
        return { title: 'People', main: await showPeople(call, link) };
      },
    },
    change: {
      form: z.object({ id: z.string(), role: Role }),
      sensitive: true,
      async run({ ctx, form }) {
        await changeRole(ctx, form.id, form.role);
        return { to: '/dashboard/settings/people', done: 'changed' };
      },
    },
    remove: {
      form: Id,
      sensitive: true,
      async run({ ctx, form }) {
        await removePerson(ctx, form.id);
        return { to: '/dashboard/settings/people', done: 'removed' };
      },
    },
    set_mails: {
      form: z.object({ wanted: z.enum(['on', 'off']) }),
      async run({ ctx, session, form }) {
        // Whoever made a link to sign in may not subscribe the person's mailbox.
        if (form.wanted === 'on' && !session.isByCode) return { to: BY_CODE };
        const { id } = requireAccount(ctx);
        await updateAlertsWanted(ctx.ports.db, id, session.person?.id ?? '', form.wanted === 'on');
        return { to: '/dashboard/settings/people', done: `mails_${form.wanted}` };
      },
    },
    end_session: {
      form: Id,
      async run({ ctx, form }) {
        await endSession(ctx, form.id, requireAccount(ctx).id);
        return { to: '/dashboard/settings/people', done: 'ended' };
      },
    },
  },
});

type Call = Pick<PageCall, 'ctx' | 'session' | 'sent' | 'problem'>;
type Person = Awaited<ReturnType<typeof listPeople>>[number];

async function showPeople(call: Call, invited: Invited | null): Promise<Html> {
  const found = await listPeople(call.ctx);
  const { isOperator } = call.session;
  return html`${settingsTabs(call.session, '/dashboard/settings/people')}${invited ? html`<section class="card made"><h2>${invited.person.email} is invited</h2>${invitationLink(call.ctx, invited)}</section>` : ''}
${table(
  'People of the account',
  ['Person', 'Role', 'Last sign-in', { label: 'Change', isHidden: true }],
  found.map((person) => [
    html`${person.email}${person.id === call.session.person?.id ? html` ${badge('you')}` : ''}`,
    person.role === 'owner' ? 'Owner' : 'Member',
    momentOr(person.signed_in_at, 'Invited, not here yet'),
    isOperator ? '' : changes(person),
  ]),
)}
${ownMails(found.find(({ id }) => id === call.session.person?.id))}
${isOperator ? '' : inviteForm(call)}
<section><h2>Signed-in browsers</h2>
${table(
  'Signed-in browsers',
  ['Browser', 'Person', 'Since', 'Last seen', { label: 'Change', isHidden: true }],
  found.flatMap(({ email, sessions }) =>
    sessions.map(({ id, browser, created_at, seen_at }) => [
      html`${browser}${id === call.session.id ? html` ${badge('this one')}` : ''}`,
      email,
      moment(created_at),
      moment(seen_at),
      isOperator ? '' : buttonForm('end_session', 'Sign out', { id }),
    ]),
  ),
)}</section>`;
}

function inviteForm(call: Call): Html {
  return html`<section><h2>Let another person in</h2><form method="post" class="card">
${fields(call, { schema: Invitation, form: 'invite' }, ['email', 'role'])}
${button('invite', 'Invite', { look: 'primary' })}</form></section>`;
}

/** Of the owner who looks at the page. */
function ownMails(person: Person | undefined): Html | string {
  if (person === undefined) return '';
  if (person.confirmed_at === null)
    return html`<section><h2>Mails to you</h2><div class="card"><p>You get no mails yet about what needs you. <a href="${BY_CODE}">Sign in with a code</a> once, so that we know that the address is yours.</p></div></section>`;
  const [state, act, wanted] = person.alerts
    ? (['You get', 'Send me no mails', 'off'] as const)
    : (['You get no', 'Send me mails', 'on'] as const);
  return html`<section><h2>Mails to you</h2><div class="card"><p>${state} mails when a feed fails or needs your OK, a lead cannot be delivered, or trucks are no longer listed; at most one a day of each.</p>
${buttonForm('set_mails', act, { wanted })}</div></section>`;
}

function changes({ id, email, role, sessions }: Person): Html {
  const other = role === 'owner' ? 'member' : 'owner';
  const where = sessions.length === 0 ? '' : ` and signs out ${count(sessions.length, 'browser')}`;
  return html`<div class="actions">${buttonForm('change', `Make ${other}`, { id, role: other })}
${buttonForm('remove', 'Remove', { id }, { look: 'danger', confirm: `This removes ${email}${where}.` })}</div>`;
}

type Invited = Awaited<ReturnType<typeof inviteByMail>>;
