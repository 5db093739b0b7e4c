import { KEY_ENTROPY_BYTES, keyPrefix, makeKey } from '../../domain/accounts/api-key.ts';
import type { Account, AccountChange, ApiKey, AuditEntry, KeyKind } from '../../ports/accounts/accounts.ts';
import { type Context, notFound } from '../context.ts';
import { newId } from '../new-id.ts';
import { type PageInput, startPage, toPage } from '../page.ts';
import { hashKey } from './hash-api-key.ts';

/** What operators do: accounts and keys. Every call leaves an audit row in the same transaction. */

function entry(
  ctx: Context,
  action: string,
  target: string,
  detail: Record<string, unknown> = {},
): AuditEntry {
  ctx.note({ action, target });
  return { action, target, requestId: ctx.requestId, detail };
}

export async function createAccount(
  ctx: Context,
  account: Omit<Account, 'id' | 'suspended' | 'created_at' | 'updated_at'>,
): Promise<Account> {
  const { name, tier, limit_multiplier, min_feed_cadence_minutes, in_market } = account;
  const fields = { name, tier, limit_multiplier, min_feed_cadence_minutes, in_market };
  const id = newId(ctx.ports, 'acc');
  return ctx.ports.accounts.create({ id, ...fields }, entry(ctx, 'account.create', id, fields));
}

export async function readAccount(ctx: Context, id: string): Promise<Account> {
  const account = await ctx.ports.accounts.get(id, entry(ctx, 'account.read', id));
  if (account === null) throw notFound('account');
  return account;
}

export async function listAccounts(ctx: Context, page: PageInput) {
  const found = await ctx.ports.accounts.list(startPage(page), entry(ctx, 'account.list', '*'));
  const { items, next_cursor } = toPage(found, page.limit, ({ id }) => id);
  return { accounts: items, next_cursor };
}

export async function changeAccount(ctx: Context, id: string, body: AccountChange): Promise<Account> {
  const { name, tier, limit_multiplier, min_feed_cadence_minutes, suspended, in_market } = body;
  const fields = { name, tier, limit_multiplier, min_feed_cadence_minutes, suspended, in_market };
  const change = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const account = await ctx.ports.accounts.change(id, change, entry(ctx, 'account.change', id, change));
  if (account === null) throw notFound('account');
  return account;
}

/** Makes a key; the answer is the only time its secret is shown. */
export async function createKey(
  ctx: Context,
  body: { account_id: string; kind: KeyKind; allowed_origins: string[] },
): Promise<ApiKey & { key: string }> {
  const key = makeKey(body.kind, ctx.ports.random.bytes(KEY_ENTROPY_BYTES));
  const id = newId(ctx.ports, 'key');
  const { account_id: accountId, kind } = body;
  const allowedOrigins = [...new Set(body.allowed_origins.map((origin) => origin.toLowerCase()))];
  const made = await ctx.ports.accounts.createKey(
    { id, accountId, kind, prefix: keyPrefix(key), hash: hashKey(key), allowedOrigins },
    entry(ctx, 'key.create', id, { account_id: accountId, kind, allowed_origins: allowedOrigins }),
  );
  if (made === null) throw notFound('account');
  return { ...made, key };
}

export async function listKeys(ctx: Context, accountId: string): Promise<{ keys: ApiKey[] }> {
  return { keys: await ctx.ports.accounts.listKeys(accountId, entry(ctx, 'key.list', accountId)) };
}

export async function revokeKey(ctx: Context, id: string): Promise<void> {
  if (!(await ctx.ports.accounts.revokeKey(id, entry(ctx, 'key.revoke', id)))) throw notFound('key');
}
