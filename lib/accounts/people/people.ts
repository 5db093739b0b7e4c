import type { Sql } from '../../db/sql.ts';
import { ApiError } from '../../errors.ts';
import { type Context, notFound, requireAccount } from '../../http/context.ts';
import type { Role } from '../access.ts';
import { audited } from '../audited.ts';
import { readIsTest } from '../read-is-test.ts';
import { deletePerson, findPeople, lockOwners, updateRole } from './queries.ts';
import { deleteSession, findSessions, updateLook } from './sessions.ts';

/** The people of an account, as its owners see them; and the sessions of the operator. */

export async function listPeople(ctx: Context) {
  const { id } = requireAccount(ctx);
  const { db } = ctx.ports;
  const [people, sessions] = await Promise.all([findPeople(db, id), findSessions(db, id)]);
  return { people, sessions };
}

/** The last owner stays one. */
async function checkLastOwner(db: Sql, accountId: string, id: string): Promise<void> {
  const owners = await lockOwners(db, accountId);
  if (owners.some((owner) => owner.id !== id) || owners.length === 0) return;
  throw new ApiError('INVALID_PAYLOAD', 'The account needs an owner.', {
    details: { fix: 'Make another person owner first.' },
  });
}

export async function changeRole(ctx: Context, id: string, role: Role): Promise<void> {
  const account = requireAccount(ctx);
  const act = { action: 'person.change', target: id, detail: { role } };
  await audited(ctx, act, async ({ ports: { db } }) => {
    if (role !== 'owner') await checkLastOwner(db, account.id, id);
    const [person] = await updateRole(db, account.id, id, role);
    if (!person) throw notFound('person');
  });
}

/** Ends the person's sessions and links as well. */
export async function removePerson(ctx: Context, id: string): Promise<void> {
  const account = requireAccount(ctx);
  const toAct = (detail: Record<string, unknown>) => ({ action: 'person.remove', target: id, detail });
  await audited(ctx, toAct, async ({ ports: { db } }) => {
    await checkLastOwner(db, account.id, id);
    const [person] = await deletePerson(db, account.id, id);
    if (!person) throw notFound('person');
    return person;
  });
}

/** Of the account, or of the operator. */
export async function endSession(ctx: Context, id: string, accountId: string | null): Promise<void> {
  await audited(ctx, { action: 'session.end', target: id, accountId }, async ({ ports: { db } }) => {
    const [session] = await deleteSession(db, accountId, id);
    if (!session) throw notFound('session');
  });
}

/** The operator looks at a seller's account, read-only, or at none any more; the seller sees it in the activity. */
export async function lookAtAccount(ctx: Context, sessionId: string, targetId: string | null): Promise<void> {
  if (targetId !== null && (await readIsTest(ctx.ports.db, targetId)) === null) throw notFound('account');
  const accountId = targetId ?? ctx.principal?.account.id ?? null;
  const action = targetId === null ? 'operator.leave' : 'operator.enter';
  await audited(ctx, { action, target: accountId ?? '*', accountId }, ({ ports }) =>
    updateLook(ports.db, sessionId, targetId),
  );
}
