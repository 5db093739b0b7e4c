import { type Context, notFound } from '../../http/context.ts';
import { toAuditEntry } from '../audited.ts';

/** The operator looks at a seller's account, read-only; the seller sees it in the activity. */
export async function lookAtAccount(ctx: Context, sessionId: string, accountId: string): Promise<void> {
  if ((await ctx.ports.accounts.isTest(accountId)) === null) throw notFound('account');
  const audit = toAuditEntry(ctx, 'operator.enter', accountId, {}, accountId);
  await ctx.ports.people.look(sessionId, accountId, audit);
}

export async function leaveAccount(ctx: Context, sessionId: string): Promise<void> {
  const left = ctx.principal?.account.id ?? null;
  await ctx.ports.people.look(sessionId, null, toAuditEntry(ctx, 'operator.leave', left ?? '*', {}, left));
}
