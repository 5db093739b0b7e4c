import type { Context } from '../http/context.ts';
import { mailOwners, NOTICES } from './notices.ts';
import { type AuditEntry, addAudit } from './queries/audit.ts';

/**
 * The audit row of what this call does; it appears in the activity of `accountId`, by default the caller's, and its other
 * owners get a mail of what NOTICES names.
 */
export function toAuditEntry(
  ctx: Context,
  action: string,
  target: string,
  detail: Record<string, unknown> = {},
  accountId: string | null = ctx.principal?.account.id ?? null,
): AuditEntry {
  ctx.note({ action, target });
  const actor = ctx.principal?.keyId ?? 'operator';
  const entry = { action, target, requestId: ctx.requestId, detail, accountId, actor };
  if (accountId !== null && action in NOTICES) ctx.after((ports) => mailOwners(ports, accountId, entry));
  return entry;
}

export interface Act {
  action: string;
  target: string;
  detail?: Record<string, unknown>;
  /** In whose activity it appears, by default the caller's; null: the operator's alone. */
  accountId?: string | null | undefined;
}

/**
 * Runs a service in a transaction that also writes the audit row: both or neither. No row for an act of null. This process
 * looks up again who has which key: what was done may have changed it.
 */
export async function audited<T>(
  ctx: Context,
  act: Act | ((result: T) => Act | null),
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  try {
    return await ctx.ports.db.transaction(async (db) => {
      const result = await work(ctx.on({ ...ctx.ports, db }));
      const done = typeof act === 'function' ? act(result) : act;
      if (done) {
        const { action, target, detail, accountId } = done;
        await addAudit(db, toAuditEntry(ctx, action, target, detail, accountId));
      }
      return result;
    }, 'ingest');
  } finally {
    ctx.ports.principals.forget();
  }
}
