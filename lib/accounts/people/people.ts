import { ApiError } from '../../errors.ts';
import { type Context, notFound, requireAccount } from '../../http/context.ts';
import { newId } from '../../outside/new-id.ts';
import type { Role } from '../access.ts';
import { toAuditEntry } from '../audited.ts';
import { mailNotice, toOwn } from '../notices.ts';
import { MAX_PEOPLE } from '../operator/schemas.ts';
import type { Person } from './port.ts';
import { hashToken, newOperatorToken, newToken } from './session-token.ts';

/** The people of an account, as its owners see them; and links that let people in without a mail. */

/** Invitations last a week, the operator's own link an hour. */
const INVITATION_HOURS = 168;
const OPERATOR_HOURS = 1;

export interface SignInLink {
  url: string;
  expires_at: string;
}

export async function listPeople(ctx: Context) {
  const own = ctx.ports.people.of(requireAccount(ctx).id);
  const [people, sessions] = await Promise.all([own.list(), own.sessions()]);
  return people.map((person) => ({
    ...person,
    sessions: sessions.filter(({ person_id }) => person_id === person.id),
  }));
}

/** Adds the person if the account has none with this address, and makes a link that signs in once. */
export async function invitePerson(
  ctx: Context,
  accountId: string,
  { email, role }: { email: string; role: Role },
): Promise<SignInLink & { person: Person }> {
  if ((await ctx.ports.accounts.isTest(accountId)) === null) throw notFound('account');
  const id = newId(ctx.ports, 'per');
  const isOperator = ctx.principal === null || ctx.principal.keyId === 'operator';
  const person = await ctx.ports.people
    .of(accountId)
    .invite(
      { id, email: email.toLowerCase(), role },
      isOperator ? null : MAX_PEOPLE[requireAccount(ctx).tier],
      toAuditEntry(ctx, 'person.invite', id, { role }, accountId),
    );
  if (person === 'too_many') throw tooManyPeople();
  if (person === 'is_owner') throw isOwner();
  // A link signs in as its person: who has signed in needs none from a colleague, only from the operator.
  if (person === 'signed_in') throw alreadySignedIn();
  return { ...(await makeLink(ctx, person, INVITATION_HOURS)), person };
}

/** Each has pages of the dashboard of his own. */
function tooManyPeople(): ApiError {
  const { starter, pro, enterprise } = MAX_PEOPLE;
  const message = `A Starter account has at most ${starter} people, ${pro} in Pro, ${enterprise} in Enterprise.`;
  return new ApiError('INVALID_PAYLOAD', message, {
    details: { fix: 'Remove a person who needs the account no longer, or ask for a higher tier.' },
  });
}

/** The link would sign in as an owner. */
function isOwner(): ApiError {
  return new ApiError('INVALID_PAYLOAD', 'This person is an owner of the account.', {
    details: {
      field: 'role',
      reason: 'not_allowed',
      fix: 'Ask for the role owner, or change the role in the dashboard first: Settings, People.',
    },
  });
}

function alreadySignedIn(): ApiError {
  return new ApiError('INVALID_PAYLOAD', 'This person has signed in before.', {
    details: {
      field: 'email',
      fix: 'They sign in with their address. Without a mail server, ask the operator for a link.',
    },
  });
}

/** A link that signs the operator in once. */
export function makeOperatorLink(ctx: Context): Promise<SignInLink> {
  return makeLink(ctx, null, OPERATOR_HOURS);
}

async function makeLink(ctx: Context, person: Person | null, hours: number): Promise<SignInLink> {
  const { ports } = ctx;
  const token = person === null ? newOperatorToken(ports) : newToken(ports);
  const target = person?.id ?? 'operator';
  await ports.people.addLink(
    { tokenHash: hashToken(ports, token), personId: person?.id ?? null, hours },
    toAuditEntry(ctx, 'link.create', target, {}, person?.account_id ?? null),
  );
  return {
    url: `${ctx.publicUrl}/dashboard/sign-in/link/${token}`,
    expires_at: new Date(ports.clock.now() + hours * 3_600_000).toISOString(),
  };
}

export async function changeRole(ctx: Context, id: string, role: Role): Promise<void> {
  const own = ctx.ports.people.of(requireAccount(ctx).id);
  checkChanged(await own.change(id, role, toAuditEntry(ctx, 'person.change', id, { role })));
}

/** Ends the person's sessions and links as well. */
export async function removePerson(ctx: Context, id: string): Promise<void> {
  const account = requireAccount(ctx);
  const own = ctx.ports.people.of(account.id);
  const person = (await own.list()).find((one) => one.id === id);
  if (person === undefined) throw notFound('person');
  const { email, role, confirmed_at } = person;
  checkChanged(await own.remove(id, toAuditEntry(ctx, 'person.remove', id, { email, role })));
  if (role !== 'owner' || confirmed_at === null || account.test || id === ctx.principal?.keyId) return;
  const subject = 'You are no longer an owner of an account';
  const lines = ['Another owner has removed you from an account. You can no longer sign in to it.'];
  const mail = { accountId: account.id, action: toOwn('person.remove'), to: email, subject, lines };
  ctx.after((ports) => mailNotice(ports, mail));
}

function checkChanged(outcome: 'changed' | 'absent' | 'last_owner'): void {
  if (outcome === 'absent') throw notFound('person');
  if (outcome === 'last_owner')
    throw new ApiError('INVALID_PAYLOAD', 'The account needs an owner.', {
      details: { fix: 'Make another person owner first.' },
    });
}

export async function endSession(ctx: Context, id: string): Promise<void> {
  const own = ctx.ports.people.of(requireAccount(ctx).id);
  if (!(await own.endSession(id, toAuditEntry(ctx, 'session.end', id)))) throw notFound('session');
}

export async function endOperatorSession(ctx: Context, id: string): Promise<void> {
  const audit = toAuditEntry(ctx, 'session.end', id, {}, null);
  if (!(await ctx.ports.people.endOperatorSession(id, audit))) throw notFound('session');
}

/** Whether this owner gets mails about what needs a person. */
export async function setAlertsWanted(ctx: Context, id: string, wanted: boolean): Promise<void> {
  if (!(await ctx.ports.alerts.of(requireAccount(ctx).id).setWanted(id, wanted))) throw notFound('person');
}
