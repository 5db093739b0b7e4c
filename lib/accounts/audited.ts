import { isDeepStrictEqual } from 'node:util';
import type { Sql } from '../db/sql.ts';
import type { Context } from '../http/context.ts';
import { MAILED_ACTS } from './acts.ts';
import { mailOwners } from './notices.ts';
import { type AuditEntry, addAudit } from './queries/audit.ts';

export interface Act {
  action: string;
  target: string;
  detail?: Record<string, unknown>;
  /** In whose activity it appears, by default the caller's; null: the operator's alone. */
  accountId?: string | null | undefined;
  /** By default who calls. */
  actor?: string;
}

/** The audit row of what this call does; the account's other owners get a mail of what MAILED_ACTS names. */
export function beginAct(ctx: Context, { action, target, detail = {}, ...act }: Act): AuditEntry {
  ctx.note({ action, target });
  const { principal, requestId } = ctx;
  const { actor = principal?.callerId ?? 'operator', accountId = principal?.account.id ?? null } = act;
  const entry = { action, target, requestId, detail, accountId, actor };
  if (accountId !== null && MAILED_ACTS.has(action))
    ctx.after((ports) => mailOwners(ports, accountId, entry));
  return entry;
}

type Fields = Readonly<Record<string, unknown>>;

/** Names of the fields that a change changes. Without their values: the row outlives what it is about. */
export const listChangedFields = (stored: Fields | null, change: Fields): string[] =>
  Object.keys(change).filter((name) => !isDeepStrictEqual(change[name] ?? null, stored?.[name] ?? null));

/** Writes the row beside what the call does. */
export const recordAct = (ctx: Context, act: Act, db: Sql = ctx.ports.db): Promise<void> =>
  addAudit(db, beginAct(ctx, act));

/**
 * Runs a service in a transaction that also writes the audit row: both or neither. No row for an act of null. This process
 * looks up again who has which key and session: what was done may have changed it.
 */
export async function audited<T>(
  ctx: Context,
  act: Act | ((result: T) => Act | null),
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  try {
    return await ctx.ports.db.transaction(async (db) => {
      const result = await work(ctx.on({ ...ctx.ports, db }));
      const completedAct = typeof act === 'function' ? act(result) : act;
      if (completedAct) await recordAct(ctx, completedAct, db);
      return result;
    }, 'ingest');
  } finally {
    ctx.ports.principals.forget();
    ctx.ports.sessions.forget();
  }
}
