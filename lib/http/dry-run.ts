import type { Context } from './context.ts';

/** Ends the transaction of a dry run; its cause is the answer. */
class RolledBack extends Error {
  override name = 'RolledBack';
}

/**
 * Runs a write; as a dry run it does everything in a transaction that is rolled back, starts nothing after the answer,
 * and marks the answer. What it refuses, it refuses alike.
 */
export async function runWrite<Result extends object>(
  ctx: Context,
  isDryRun: boolean | undefined,
  write: (ctx: Context) => Promise<Result>,
): Promise<Result & { dry_run?: true }> {
  if (!isDryRun) return write(ctx);
  ctx.note({ dry_run: true });
  try {
    return await ctx.ports.db.transaction(async (db): Promise<never> => {
      const cause = await write(ctx.on({ ...ctx.ports, db }, []));
      throw new RolledBack('dry run', { cause });
    }, 'ingest');
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
    return { ...(error.cause as Result), dry_run: true };
  }
}
