import { eq, type SQL, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { accounts, ownHomes } from '../../../drizzle/schema/accounts.ts';
import { builder } from '../../db/builder.ts';
import { type Context, notFound } from '../../http/context.ts';
import { type PageInput, startPage, toPage } from '../../http/keyset.ts';
import { newId } from '../../outside/new-id.ts';
import { type Act, audited } from '../audited.ts';
import type { Account, AccountCreate, AccountPatch } from './schemas.ts';

/** Sellers' accounts as operators manage them. Every call leaves an audit row in the same transaction. */

export function createAccount(ctx: Context, input: z.output<typeof AccountCreate>): Promise<Account> {
  const id = newId(ctx.ports, 'acc');
  const act = { action: 'account.create', target: id, detail: input, accountId: id };
  return audited(ctx, act, async ({ ports }) => {
    const db = builder(ports.db);
    const values = { id, ...input, in_market: input.in_market && !input.test };
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

/** By name. `q`: part of a name, an id, or the whole e-mail address of one of its people; '': all. */
export async function listAccounts(ctx: Context, q: string, page: PageInput) {
  const { limit, after } = startPage(page);
  const { id, name } = accounts;
  const condition = sql`(position(lower(${q}) in lower(${name})) > 0 or ${id} = ${q}
    or ${id} in (select account_id from people where email = lower(${q})))
    and (${after}::text is null or (lower(${name}), ${id}) > (select lower(name), id from accounts where id = ${after}))`;
  const rows = await selectAccounts(ctx, { action: 'account.list', target: '*' }, condition, limit);
  const { items, next_cursor } = toPage(rows, page.limit, (account) => account.id);
  return { accounts: items, next_cursor };
}

/** What is read belongs to no seller's activity. */
async function selectAccounts(ctx: Context, act: Act, condition: SQL, limit: number): Promise<Account[]> {
  const { id, name } = accounts;
  const rows = await audited(ctx, { ...act, accountId: null }, ({ ports }) =>
    builder(ports.db).select().from(accounts).where(condition).orderBy(sql`lower(${name})`, id).limit(limit),
  );
  return rows.map(toAccount);
}

/** A test account is never in the market, and one that waits to be erased stays suspended. */
export async function changeAccount(
  ctx: Context,
  id: string,
  change: z.output<typeof AccountPatch>,
): Promise<Account> {
  const { suspended, in_market } = change;
  const { erase_at, erasing_at, test } = accounts;
  const isErased = sql`coalesce(${erase_at}, ${erasing_at}) is not null`;
  const values = {
    ...change,
    suspended: suspended === undefined ? undefined : sql`${suspended} or ${isErased}`,
    operator_suspended: suspended,
    in_market: in_market === undefined ? undefined : sql`${in_market} and not ${test}`,
    updated_at: sql`now()`,
  };
  const act = { action: 'account.change', target: id, detail: change, accountId: id };
  const [row] = await audited(ctx, act, ({ ports }) =>
    builder(ports.db).update(accounts).set(values).where(eq(accounts.id, id)).returning(),
  );
  if (!row) throw notFound('account');
  return toAccount(row);
}

function toAccount(row: typeof accounts.$inferSelect): Account {
  const { erase_at, erasing_at, operator_suspended: _, feeds_served_at: _old, ...account } = row;
  const erasing = (erase_at ?? erasing_at) !== null;
  return { ...account, erasing, erase_at: erasing_at === null ? erase_at : null };
}
