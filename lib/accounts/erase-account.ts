import type { Statement } from '../db/sql.ts';
import { type Context, requireAccount } from '../http/context.ts';
import { audited, recordAct } from './audited.ts';

/** Asking for an account's erasure, which suspends it at once, and undoing that until it begins. */

const DAYS = 7;

export async function askForErasure(ctx: Context): Promise<void> {
  const { id } = requireAccount(ctx);
  await audited(ctx, { action: 'account.erase', target: id }, async ({ ports: { db } }) => {
    await db.query(ASK, [id, DAYS]);
    // The account's own rows go with it: the operator's names its id, and nothing else of it.
    await recordAct(ctx, { action: 'account.erase', target: id, accountId: null, actor: 'owner' }, db);
  });
}

/** Once more changes nothing. */
const ASK: Statement = {
  text: `
    update accounts set erase_at = coalesce(erase_at, week.ends), suspended = true
    from (select now() + make_interval(days => $2::int) as ends) week where id = $1`,
};

/** Undoes the suspension too, unless it is the operator's as well. False when there is nothing to undo, or no longer. */
export function undoErasure(ctx: Context): Promise<boolean> {
  const { id } = requireAccount(ctx);
  const toAct = (isUndone: boolean) => (isUndone ? { action: 'account.keep', target: id } : null);
  const undo = async ({ ports: { db } }: Context) => (await db.query(UNDO, [id])).length > 0;
  return audited(ctx, toAct, undo);
}

const UNDO: Statement = {
  text: `
    update accounts set erase_at = null, suspended = operator_suspended
    where id = $1 and erase_at is not null and erasing_at is null returning 1 as one`,
};
