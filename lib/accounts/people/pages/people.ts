import { html } from 'hono/html';
import * as z from 'zod/mini';
import { fields } from '../../../dashboard/parts/fields.ts';
import { actionForm, buttonForm } from '../../../dashboard/parts/form.ts';
import { invitationLink } from '../../../dashboard/parts/mails.ts';
import { table } from '../../../dashboard/parts/table.ts';
import { badge, momentOr } from '../../../dashboard/parts/text.ts';
import { requireAccount } from '../../../http/context.ts';
import { type Html, type PageCall, page } from '../../../http/pages/page.ts';
import { Email, flag } from '../../../truck/json.ts';
import { ROLES } from '../../access.ts';
import { updateAlertsWanted } from '../../alerts/queries.ts';
import { settingsTabs } from '../../pages/tabs.ts';
import { inviteByMail } from '../invite.ts';
import { changeRole, endSession, listPeople, removePerson } from '../people.ts';
import type { Person } from '../queries.ts';
import { sessionTable } from './session-table.ts';

const Role = z.enum(ROLES);
const Invitation = z.object({ email: Email, role: Role });
const Id = z.object({ id: z.string() });
const PATH = '/dashboard/settings/people';
const BY_CODE = '/dashboard/sign-in?fresh=true&next=%2Fdashboard%2Fsettings%2Fpeople';

/** Who may sign in to the account, with which browsers, and how to let another person in. */
export default page({
  notices: {
    changed: 'The change is saved.',
    removed: 'The person is removed, and signed out everywhere.',
    ended: 'That browser is signed out.',
  },
  show: async (call) => ({ title: 'People', main: await showPeople(call) }),
  actions: {
    invite: {
      form: Invitation,
      sensitive: true,
      async run({ ctx, form }) {
        const link = await inviteByMail(ctx, requireAccount(ctx).id, form);
        return {
          title: `${link.person.email} is invited`,
          main: html`${invitationLink(ctx, link)}<p><a href="${PATH}">All people</a></p>`,
        };
      },
    },
    change: {
      form: z.object({ id: z.string(), role: Role }),
      sensitive: true,
      async run({ ctx, form }) {
        await changeRole(ctx, form.id, form.role);
        return { to: PATH, done: 'changed' };
      },
    },
    remove: {
      form: Id,
      sensitive: true,
      async run({ ctx, form }) {
        await removePerson(ctx, form.id);
        return { to: PATH, done: 'removed' };
      },
    },
    set_mails: {
      form: z.object({ wanted: flag }),
      async run({ ctx, session, form }) {
        // Whoever made a link to sign in may not subscribe the person's mailbox.
        if (form.wanted && !session.isByCode) return { to: BY_CODE };
        const { id } = requireAccount(ctx);
        await updateAlertsWanted(ctx.ports.db, id, session.person?.id ?? '', form.wanted);
        return { to: PATH, done: 'changed' };
      },
    },
    end_session: {
      form: Id,
      async run({ ctx, form }) {
        await endSession(ctx, form.id, requireAccount(ctx).id);
        return { to: PATH, done: 'ended' };
      },
    },
  },
});

async function showPeople(call: PageCall): Promise<Html> {
  const { people, sessions } = await listPeople(call.ctx);
  const { person: self } = call.session;
  const invite = fields(call, { schema: Invitation }, ['email', 'role']);
  return html`${settingsTabs(call.session, PATH)}
${table(
  'People of the account',
  ['Person', 'Role', 'Last sign-in', { label: 'Change', isHidden: true }],
  people.map((person) => [
    html`${person.email}${person.id === self?.id && html` ${badge('you')}`}`,
    person.role,
    momentOr(person.signed_in_at, 'Invited, not signed in yet'),
    changes(person),
  ]),
)}
${people.filter(({ id }) => id === self?.id).map(ownMails)}
<section><h2>Invite a person</h2>${actionForm(call, invite, 'invite', 'Invite')}</section>
<section><h2>Signed-in browsers</h2>${sessionTable(sessions, call.session)}</section>`;
}

/** Of the owner who looks at the page. */
function ownMails({ confirmed_at, alerts }: Person): Html {
  const text =
    confirmed_at === null
      ? html`<p>You get no mails yet about what needs you. <a href="${BY_CODE}">Sign in with a code</a> once, so that we know that the address is yours.</p>`
      : html`<p>You get ${alerts ? '' : 'no '}mails when a feed fails or is held, a lead cannot be delivered, or trucks are rejected; at most one mail a day of each.</p>
${buttonForm('set_mails', alerts ? 'Send me no mails' : 'Send me mails', { wanted: String(!alerts) })}`;
  return html`<section><h2>Mails to you</h2><div class="card">${text}</div></section>`;
}

function changes({ id, email, role }: Person): Html {
  const otherRole = role === 'owner' ? 'member' : 'owner';
  const confirm = `This removes ${email}, and signs out all their browsers.`;
  return html`<div class="actions">${buttonForm('change', `Make ${otherRole}`, { id, role: otherRole })}
${buttonForm('remove', 'Remove', { id }, { look: 'danger', confirm })}</div>`;
}
