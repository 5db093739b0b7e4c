import type { AuditEntry } from '../../ports/accounts/audit.ts';
import type { Context } from '../context.ts';

/** The audit row of what this call does; it appears in the activity of `accountId`, by default the caller's. */
export function toAuditEntry(
  ctx: Context,
  action: string,
  target: string,
  detail: Record<string, unknown> = {},
  accountId: string | null = ctx.principal?.account.id ?? null,
): AuditEntry {
  ctx.note({ action, target });
  const actor = ctx.principal?.keyId ?? 'operator';
  return { action, target, requestId: ctx.requestId, detail, accountId, actor };
}

/** Runs a service in a transaction that also writes the audit row: both or neither. */
export function audited<T>(
  ctx: Context,
  act: { action: string; target: string; detail?: Record<string, unknown> },
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  return ctx.ports.store.transaction(async (bound) => {
    const result = await work(ctx.on({ ...ctx.ports, ...bound }));
    await bound.audit.add(toAuditEntry(ctx, act.action, act.target, act.detail));
    return result;
  });
}
