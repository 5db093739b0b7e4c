import type { Sql } from '../../db/sql.ts';
import { ApiError } from '../../errors.ts';
import { type Context, notFound, requireAccount } from '../../http/context.ts';
import type { Role } from '../access.ts';
import { type Act, audited } from '../audited.ts';
import { mailNotice, toOwn } from '../notices.ts';
import { readIsTest } from '../queries/accounts.ts';
import {
  deletePerson,
  deleteSession,
  findPeople,
  findSessions,
  lockOwners,
  updateLook,
  updateRole,
} from './queries.ts';

/** The people of an account, as its owners see them; and the sessions of the operator. */

/** What is done and its audit row commit together; who is signed in is read anew after it. */
export async function auditedPeople<T>(
  ctx: Context,
  act: Act | ((result: T) => Act),
  work: (db: Sql) => Promise<T>,
): Promise<T> {
  try {
    return await audited(ctx, act, ({ ports }) => work(ports.db));
  } finally {
    ctx.ports.sessions.forget();
  }
}

export async function listPeople(ctx: Context) {
  const { id } = requireAccount(ctx);
  const { db } = ctx.ports;
  const [people, sessions] = await Promise.all([findPeople(db, id), findSessions(db, id)]);
  return people.map((person) => ({
    ...person,
    sessions: sessions.filter(({ person_id }) => person_id === person.id),
  }));
}

/** The last owner stays one. */
async function checkLastOwner(db: Sql, accountId: string, id: string): Promise<void> {
  const owners = await lockOwners(db, accountId);
  if (owners.some((owner) => owner.id !== id) || owners.length === 0) return;
  throw new ApiError('INVALID_PAYLOAD', 'The account needs an owner.', {
    details: { fix: 'Make another person owner first.' },
  });
}

export function changeRole(ctx: Context, id: string, role: Role): Promise<void> {
  const account = requireAccount(ctx);
  return auditedPeople(ctx, { action: 'person.change', target: id, detail: { role } }, async (db) => {
    if (role !== 'owner') await checkLastOwner(db, account.id, id);
    if ((await updateRole(db, account.id, id, role)).length === 0) throw notFound('person');
  });
}

/** Ends the person's sessions and links as well. An owner who was removed by another gets a mail. */
export async function removePerson(ctx: Context, id: string): Promise<void> {
  const account = requireAccount(ctx);
  const toAct = (person: { email: string; role: Role }) => {
    const detail = { email: person.email, role: person.role };
    return { action: 'person.remove', target: id, detail };
  };
  const { email, role, isConfirmed } = await auditedPeople(ctx, toAct, async (db) => {
    await checkLastOwner(db, account.id, id);
    const [person] = await deletePerson(db, account.id, id);
    if (person === undefined) throw notFound('person');
    return person;
  });
  if (role !== 'owner' || !isConfirmed || account.test || id === ctx.principal?.keyId) return;
  const subject = 'You are no longer an owner of an account';
  const lines = ['Another owner has removed you from an account. You can no longer sign in to it.'];
  const mail = { accountId: account.id, action: toOwn('person.remove'), to: email, subject, lines };
  ctx.after((ports) => mailNotice(ports, mail));
}

/** Of the account, or of the operator. */
export async function endSession(ctx: Context, id: string, accountId: string | null): Promise<void> {
  await auditedPeople(ctx, { action: 'session.end', target: id, accountId }, async (db) => {
    if (!(await deleteSession(db, accountId, id))) throw notFound('session');
  });
}

/** The operator looks at a seller's account, read-only; the seller sees it in the activity. */
export async function lookAtAccount(ctx: Context, sessionId: string, accountId: string): Promise<void> {
  if ((await readIsTest(ctx.ports.db, accountId)) === null) throw notFound('account');
  const act = { action: 'operator.enter', target: accountId, accountId };
  await auditedPeople(ctx, act, (db) => updateLook(db, sessionId, accountId));
}

export async function leaveAccount(ctx: Context, sessionId: string): Promise<void> {
  const left = ctx.principal?.account.id ?? null;
  const act = { action: 'operator.leave', target: left ?? '*', accountId: left };
  await auditedPeople(ctx, act, (db) => updateLook(db, sessionId, null));
}
