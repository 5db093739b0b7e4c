import { type Context, requireAccount } from '../context.ts';

/** What needs a person today, and what happened in the last 30 days. */
export async function readOverview(ctx: Context) {
  const { id } = requireAccount(ctx);
  const own = ctx.ports.overview.of(id);
  const [attention, days, { listings }] = await Promise.all([
    own.attention(),
    own.days(),
    ctx.ports.usage.of(id).overview(),
  ]);
  return { attention, days, listings };
}
