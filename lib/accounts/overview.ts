import { type Context, requireAccount } from '../http/context.ts';

/** What needs a person today, and what happened in the last 30 days. */
export async function readOverview(ctx: Context) {
  const own = ctx.ports.overview.of(requireAccount(ctx).id);
  const [attention, days] = await Promise.all([own.attention(), own.days()]);
  return { attention, days };
}
