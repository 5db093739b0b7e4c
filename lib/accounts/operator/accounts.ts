import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { accounts, ownHomes } from '../../../drizzle/schema/accounts.ts';
import { builder } from '../../db/builder.ts';
import { type Context, notFound } from '../../http/context.ts';
import { type PageInput, startPage, toPage } from '../../http/page.ts';
import { newId } from '../../outside/new-id.ts';
import { audited } from '../audited.ts';
import type { Account, AccountCreate, AccountPatch } from './schemas.ts';

/** Sellers' accounts as operators manage them. Every call leaves an audit row in the same transaction. */

export async function createAccount(
  ctx: Context,
  { name, tier, limit_multiplier, min_feed_cadence_minutes, in_market, test }: z.output<typeof AccountCreate>,
): Promise<Account> {
  const detail = { name, tier, limit_multiplier, min_feed_cadence_minutes, in_market, test };
  const id = newId(ctx.ports, 'acc');
  return audited(ctx, { action: 'account.create', target: id, detail, accountId: id }, async ({ ports }) => {
    const db = builder(ports.db);
    const values = { id, ...detail, in_market: in_market && !test };
    const [row] = await db.insert(accounts).values(values).returning();
    if (!row) throw new Error('the insert returned no row');
    // What the view `account_homes` is of on a cluster.
    await db.insert(ownHomes).values({ account_id: id });
    return toAccount(row);
  });
}

export async function readAccount(ctx: Context, id: string): Promise<Account> {
  const [account] = await selectAccounts(ctx, { action: 'account.read', target: id }, eq(accounts.id, id), 1);
  if (!account) throw notFound('account');
  return account;
}

/** By name. `q`: part of a name, an id, or the whole e-mail address of one of its people; null: all. */
export async function listAccounts(ctx: Context, q: string | null, page: PageInput) {
  const { limit, after } = startPage(page);
  const { id, name } = accounts;
  const matches =
    q === null
      ? undefined
      : or(
          sql`position(lower(${q}) in lower(${name})) > 0`,
          eq(id, q),
          sql`${id} in (select account_id from people where email = lower(${q}))`,
        );
  const isAfter =
    after === null
      ? undefined
      : sql`(lower(${name}), ${id}) > (select lower(name), id from accounts where id = ${after})`;
  const act = { action: 'account.list', target: '*' };
  const rows = await selectAccounts(ctx, act, and(matches, isAfter), limit);
  const { items, next_cursor } = toPage(rows, page.limit, (account) => account.id);
  return { accounts: items, next_cursor };
}

/** What is read belongs to no seller's activity. */
function selectAccounts(
  ctx: Context,
  act: { action: string; target: string },
  where: SQL | undefined,
  limit: number,
): Promise<Account[]> {
  return audited(ctx, { ...act, accountId: null }, async ({ ports }) => {
    const rows = builder(ports.db).select().from(accounts).where(where);
    return (await rows.orderBy(sql`lower(${accounts.name})`, accounts.id).limit(limit)).map(toAccount);
  });
}

/** A test account is never in the market, and one that waits to be erased stays suspended. */
export async function changeAccount(
  ctx: Context,
  id: string,
  body: z.output<typeof AccountPatch>,
): Promise<Account> {
  const { name, tier, limit_multiplier, min_feed_cadence_minutes, suspended, in_market } = body;
  const change = { name, tier, limit_multiplier, min_feed_cadence_minutes, suspended, in_market };
  const act = { action: 'account.change', target: id, detail: change, accountId: id };
  const [row] = await audited(ctx, act, ({ ports }) =>
    builder(ports.db)
      .update(accounts)
      .set({
        ...change,
        suspended:
          suspended === undefined
            ? undefined
            : sql`${suspended} or coalesce(${accounts.erase_at}, ${accounts.erasing_at}) is not null`,
        operator_suspended: suspended,
        in_market: in_market === undefined ? undefined : sql`${in_market} and not ${accounts.test}`,
        updated_at: sql`now()`,
      })
      .where(eq(accounts.id, id))
      .returning(),
  );
  if (!row) throw notFound('account');
  return toAccount(row);
}

function toAccount(row: typeof accounts.$inferSelect): Account {
  const { erase_at, erasing_at, operator_suspended: _, feeds_served_at: _old, ...account } = row;
  const erasing = (erase_at ?? erasing_at) !== null;
  return { ...account, erasing, erase_at: erasing_at === null ? erase_at : null };
}
