import { ApiError } from '../../errors.ts';
import { type Context, notFound, requireAccount } from '../../http/context.ts';
import type { Quota } from '../../limiter/limits.ts';
import { toMailbox } from '../../outside/mailer/mailbox.ts';
import { newId } from '../../outside/new-id.ts';
import { hashSecret } from '../../outside/secrets/hash-secret.ts';
import { quote } from '../../truck/text/text.ts';
import { MAX_PEOPLE, type Role } from '../access.ts';
import { audited } from '../audited.ts';
import { lockAccount } from '../queries/accounts.ts';
import { mailLines } from './mail-lines.ts';
import { insertLink, insertPerson, type Person } from './queries.ts';
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

type Invited = Awaited<ReturnType<typeof invitePerson>>;

/** Adds the person if the account has none with this address, and makes a link that signs in once. */
export async function invitePerson(ctx: Context, accountId: string, { email, role }: Invitee) {
  const isOperator = (ctx.principal?.callerId ?? 'operator') === 'operator';
  const maxPeople = isOperator ? null : MAX_PEOPLE[requireAccount(ctx).tier];
  const { token, hash } = drawToken(ctx, newToken);
  const toAct = ({ person }: { person: Pick<Person, 'id'> }) => ({
    action: 'person.invite',
    target: person.id,
    accountId,
  });
  const invited = await audited(ctx, toAct, async ({ ports: { db } }) => {
    // Locked, so that two at once do not both take the last place.
    const [account] = await lockAccount(db, accountId);
    if (!account) throw notFound('account');
    const invitee = { id: newId(ctx.ports, 'per'), email: email.toLowerCase(), role };
    const row = await insertPerson(db, accountId, invitee, maxPeople);
    if (row === null)
      throw refuse(`The account has at most ${maxPeople} people.`, 'Remove one, or ask for a higher tier.');
    const { hasSignedIn, ...person } = row;
    // A link signs in as its person: nobody is let in as an owner by asking for a member, or as who has signed in before.
    if ((person.role === 'owner' && role === 'member') || (hasSignedIn && !isOperator))
      throw refuse(
        'This person belongs to the account already.',
        'They sign in with their address. Roles are changed in the dashboard: Settings, People.',
      );
    await insertLink(db, hash, person.id, INVITATION_HOURS);
    return { person, accountName: account.name };
  });
  return { ...invited, ...toLink(ctx, token, INVITATION_HOURS) };
}

const refuse = (message: string, fix: string) =>
  new ApiError('INVALID_PAYLOAD', message, { details: { field: 'email', reason: 'not_allowed', fix } });

/** A link that signs the operator in once. */
export async function makeOperatorLink(ctx: Context) {
  const { token, hash } = drawToken(ctx, newOperatorToken);
  const act = { action: 'link.create', target: 'operator', accountId: null };
  await audited(ctx, act, ({ ports }) => insertLink(ports.db, hash, null, OPERATOR_HOURS));
  return toLink(ctx, token, OPERATOR_HOURS);
}

function drawToken({ ports }: Context, draw: typeof newToken) {
  const token = draw(ports);
  return { token, hash: hashToken(ports, token) };
}

const toLink = ({ publicUrl, ports }: Context, token: string, hours: number) => ({
  url: `${publicUrl}/dashboard/sign-in/link/${token}`,
  expires_at: new Date(ports.clock.now() + hours * 3_600_000).toISOString(),
});

/** Invites a person, and mails the link where there is a mail server; `isMailed` says whether. */
export async function inviteByMail(
  ctx: Context,
  accountId: string,
  invitee: Invitee,
): Promise<Invited & { isMailed: boolean }> {
  const { limiter, settings } = ctx.ports;
  const { email: to } = invitee;
  const invited = await invitePerson(ctx, accountId, invitee);
  const isMailed =
    settings.mail !== 'none' &&
    settings.publicUrl !== null &&
    (await limiter.take(INVITATIONS, accountId)).allowed &&
    (await limiter.take(TO_MAILBOX, hashSecret(toMailbox(to)))).allowed;
  const lines = [
    `You are invited to the truck inventory of ${quote(invited.accountName)}.`,
    '',
    'Open this link and press the button. It signs you in once, and works for a week:',
    invited.url,
    '',
    'Later you sign in with your address and a code that we mail you.',
    'If you do not know what this is about, do nothing.',
  ];
  const subject = 'You are invited to a truck inventory';
  if (isMailed) ctx.after((ports) => mailLines(ports, 'invitation', { to, subject, lines }));
  return { ...invited, isMailed };
}
