import { ApiError } from '../../errors.ts';
import { type Context, notFound, requireAccount } from '../../http/context.ts';
import type { Quota } from '../../limiter/limits.ts';
import { toMailbox } from '../../outside/mailer/mailbox.ts';
import { newId } from '../../outside/new-id.ts';
import { hashSecret } from '../../outside/secrets/hash-secret.ts';
import { quote } from '../../truck/text/quote.ts';
import { MAX_PEOPLE, type Role } from '../access.ts';
import { lockAccount, readIsTest } from '../queries/accounts.ts';
import { mailLines } from './mail-lines.ts';
import { auditedPeople } from './people.ts';
import { insertLink, insertPerson } from './queries.ts';
import { hashToken, newOperatorToken, newToken } from './tokens.ts';

/** Links that let people in without a mail, and the mails that bring them. */

/** Invitations last a week, the operator's own link an hour. */
const INVITATION_HOURS = 168;
const OPERATOR_HOURS = 1;

/** An account writes to so many people whom it does not know yet. */
const INVITATIONS: Quota = { name: 'invitations', limit: 20, windowSeconds: 3_600 };
/** Invitations that a mailbox is sent, whoever invites it. */
const TO_MAILBOX: Quota = { name: 'invitations-to-mailbox', limit: 5, windowSeconds: 3_600 };

interface Invitee {
  email: string;
  role: Role;
}

/** Adds the person if the account has none with this address, and makes a link that signs in once. */
export async function invitePerson(ctx: Context, accountId: string, { email, role }: Invitee) {
  if ((await readIsTest(ctx.ports.db, accountId)) === null) throw notFound('account');
  const id = newId(ctx.ports, 'per');
  const isOperator = ctx.principal === null || ctx.principal.keyId === 'operator';
  const act = { action: 'person.invite', target: id, detail: { role }, accountId };
  const person = await auditedPeople(ctx, act, async (db) => {
    // Locked, so that two at once do not both take the last place.
    if (!isOperator) await lockAccount(db, accountId);
    const maxPeople = isOperator ? null : MAX_PEOPLE[requireAccount(ctx).tier];
    const invited = await insertPerson(db, accountId, { id, email: email.toLowerCase(), role }, maxPeople);
    if (invited === null) throw tooManyPeople();
    checkInvitation(invited, role, isOperator);
    return invited;
  });
  return { ...(await makeLink(ctx, person.id, accountId, INVITATION_HOURS)), person };
}

/** Each has pages of the dashboard of his own. */
function tooManyPeople(): ApiError {
  const { starter, pro, enterprise } = MAX_PEOPLE;
  const message = `A Starter account has at most ${starter} people, ${pro} in Pro, ${enterprise} in Enterprise.`;
  return new ApiError('INVALID_PAYLOAD', message, {
    details: { fix: 'Remove a person who needs the account no longer, or ask for a higher tier.' },
  });
}

/** A link signs in as its person: nobody is let in as an owner by asking for a member, or as who has signed in before. */
function checkInvitation(person: { role: Role; hasSignedIn: boolean }, role: Role, isOperator: boolean) {
  if (person.role === 'owner' && role === 'member')
    throw new ApiError('INVALID_PAYLOAD', 'This person is an owner of the account.', {
      details: {
        field: 'role',
        reason: 'not_allowed',
        fix: 'Ask for the role owner, or change the role in the dashboard first: Settings, People.',
      },
    });
  if (person.hasSignedIn && !isOperator)
    throw new ApiError('INVALID_PAYLOAD', 'This person has signed in before.', {
      details: {
        field: 'email',
        fix: 'They sign in with their address. Without a mail server, ask the operator for a link.',
      },
    });
}

/** A link that signs the operator in once. */
export const makeOperatorLink = (ctx: Context) => makeLink(ctx, null, null, OPERATOR_HOURS);

/** `personId` null: the operator. */
async function makeLink(ctx: Context, personId: string | null, accountId: string | null, hours: number) {
  const { ports } = ctx;
  const token = personId === null ? newOperatorToken(ports) : newToken(ports);
  const act = { action: 'link.create', target: personId ?? 'operator', accountId };
  await auditedPeople(ctx, act, (db) => insertLink(db, hashToken(ports, token), personId, hours));
  return {
    url: `${ctx.publicUrl}/dashboard/sign-in/link/${token}`,
    expires_at: new Date(ports.clock.now() + hours * 3_600_000).toISOString(),
  };
}

/** Invites a person, and mails the link where there is a mail server; `isMailed` says whether. */
export async function inviteByMail(
  ctx: Context,
  accountId: string,
  { accountName, ...invitee }: Invitee & { accountName: string },
) {
  const { limiter, settings } = ctx.ports;
  const { email } = invitee;
  const invited = await invitePerson(ctx, accountId, invitee);
  const isMailed =
    settings.mail !== 'none' &&
    settings.publicUrl !== null &&
    (await limiter.take(INVITATIONS, accountId)).allowed &&
    (await limiter.take(TO_MAILBOX, hashSecret(toMailbox(email)))).allowed;
  const lines = [
    `You are invited to the truck inventory of ${quote(accountName)}.`,
    '',
    'Open this link and press the button. It signs you in once, and works for a week:',
    invited.url,
    '',
    'Later you sign in with your address and a code that we mail you.',
    'If you do not know what this is about, do nothing.',
  ];
  const subject = 'You are invited to a truck inventory';
  if (isMailed) ctx.after((ports) => mailLines(ports, 'invitation', { to: email, subject, lines }));
  return { ...invited, isMailed };
}
