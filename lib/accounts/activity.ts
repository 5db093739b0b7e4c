import { type Context, requireAccount } from '../http/context.ts';
import { type PageInput, startPage, toPage } from '../http/page.ts';

const ROW = /^\d{1,15}$/;

/** What was done in the account, the newest first. */
export async function listActivity(ctx: Context, page: PageInput) {
  const found = await ctx.ports.audit.of(requireAccount(ctx).id).list(startPage(page, ROW));
  const { items, next_cursor } = toPage(found, page.limit, ({ id }) => String(id));
  return { rows: items, next_cursor };
}
