import { type Context, requireAccount } from '../http/context.ts';
import { toAuditEntry } from './audited.ts';

/** Asking for an account's erasure, which suspends it at once, and undoing that until it begins. */

const DAYS = 7;

export async function eraseAccount(ctx: Context): Promise<void> {
  const { id } = requireAccount(ctx);
  await ctx.ports.accountData.of(id).askErasure(DAYS, toAuditEntry(ctx, 'account.erase', id));
  forgetAccess(ctx);
}

/** False when there is nothing to undo, or no longer. */
export async function undoErasure(ctx: Context): Promise<boolean> {
  const { id } = requireAccount(ctx);
  const isUndone = await ctx.ports.accountData.of(id).undoErasure(toAuditEntry(ctx, 'account.keep', id));
  forgetAccess(ctx);
  return isUndone;
}

function forgetAccess({ ports: { accounts, sessions } }: Context): void {
  accounts.forget();
  sessions.forget();
}
