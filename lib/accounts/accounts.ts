import { ApiError } from '../errors.ts';
import { type Context, notFound } from '../http/context.ts';
import { type PageInput, startPage, toPage } from '../http/page.ts';
import { newId } from '../outside/new-id.ts';
import { hashSecret } from '../outside/secrets/hash-secret.ts';
import type { KeyKind, Scope } from './access.ts';
import { toAuditEntry } from './audited.ts';
import { KEY_ENTROPY_BYTES, keyPrefix, makeKey } from './keys/api-key.ts';
import { MAX_KEYS } from './operator/schemas.ts';
import type { Account, AccountChange, ApiKey } from './ports/accounts.ts';

/** What operators do: accounts and keys. Every call leaves an audit row in the same transaction. */

export async function createAccount(
  ctx: Context,
  account: Omit<Account, 'id' | 'suspended' | 'erasing' | 'erase_at' | 'created_at' | 'updated_at'>,
): Promise<Account> {
  const { name, tier, limit_multiplier, min_feed_cadence_minutes, in_market, test } = account;
  const fields = { name, tier, limit_multiplier, min_feed_cadence_minutes, in_market, test };
  const id = newId(ctx.ports, 'acc');
  return ctx.ports.accounts.create({ id, ...fields }, toAuditEntry(ctx, 'account.create', id, fields, id));
}

export async function readAccount(ctx: Context, id: string): Promise<Account> {
  const account = await ctx.ports.accounts.get(id, toAuditEntry(ctx, 'account.read', id, {}, null));
  if (account === null) throw notFound('account');
  return account;
}

/** Those that `q` is about, or all; by name. */
export async function listAccounts(ctx: Context, q: string | null, page: PageInput) {
  const audit = toAuditEntry(ctx, 'account.list', '*', {}, null);
  const found = await ctx.ports.accounts.list(q, startPage(page), audit);
  const { items, next_cursor } = toPage(found, page.limit, ({ id }) => id);
  return { accounts: items, next_cursor };
}

export async function changeAccount(ctx: Context, id: string, body: AccountChange): Promise<Account> {
  const { name, tier, limit_multiplier, min_feed_cadence_minutes, suspended, in_market } = body;
  const fields = { name, tier, limit_multiplier, min_feed_cadence_minutes, suspended, in_market };
  const change = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const account = await ctx.ports.accounts.change(
    id,
    change,
    toAuditEntry(ctx, 'account.change', id, change, id),
  );
  if (account === null) throw notFound('account');
  return account;
}

export interface KeyInput {
  account_id: string;
  kind: KeyKind;
  allowed_origins: string[];
  name?: string | null | undefined;
  scopes?: Scope[] | null | undefined;
  dealers?: string[] | null | undefined;
  expires_at?: string | null | undefined;
}

/** Makes a key; the answer is the only time its secret is shown. `maxKeys`: how many of the account may work at a time. */
export async function createKey(
  ctx: Context,
  body: KeyInput,
  maxKeys: number | null = null,
): Promise<ApiKey & { key: string }> {
  const { account_id: accountId, kind, name = null, dealers, expires_at: expiresAt = null } = body;
  if (expiresAt !== null && Date.parse(expiresAt) <= ctx.ports.clock.now())
    throw new ApiError('INVALID_PAYLOAD', 'expires_at must be in the future.', {
      details: {
        field: 'expires_at',
        reason: 'out_of_range',
        received: expiresAt,
        fix: `Send a time after ${new Date(ctx.ports.clock.now()).toISOString()}.`,
      },
    });
  const isTest = await ctx.ports.accounts.isTest(accountId);
  if (isTest === null) throw notFound('account');
  const key = makeKey(kind, isTest ? 'test' : 'live', ctx.ports.random.bytes(KEY_ENTROPY_BYTES));
  const id = newId(ctx.ports, 'key');
  const allowedOrigins = [...new Set(body.allowed_origins.map((origin) => origin.toLowerCase()))];
  const scopes = body.scopes ? [...new Set(body.scopes)] : null;
  const limits = { name, scopes, dealer: dealers?.[0] ?? null, expiresAt };
  const createdBy = ctx.principal?.keyId ?? 'operator';
  const made = await ctx.ports.accounts.createKey(
    {
      id,
      accountId,
      kind,
      prefix: keyPrefix(key),
      hash: hashSecret(key),
      allowedOrigins,
      createdBy,
      ...limits,
    },
    maxKeys,
    toAuditEntry(
      ctx,
      'key.create',
      id,
      { account_id: accountId, kind, allowed_origins: allowedOrigins, ...limits },
      accountId,
    ),
  );
  if (made === null) throw notFound('account');
  if (made === 'too_many') throw tooManyKeys();
  return { ...made, key };
}

export function tooManyKeys(): ApiError {
  const { starter, pro, enterprise } = MAX_KEYS;
  const message = `At most ${starter} keys of a Starter account work at a time, ${pro} of Pro, ${enterprise} of Enterprise.`;
  return new ApiError('INVALID_PAYLOAD', message, { details: { reason: 'too_many_keys' } });
}

export async function listKeys(ctx: Context, accountId: string): Promise<{ keys: ApiKey[] }> {
  return { keys: await ctx.ports.accounts.listKeys(accountId, toAuditEntry(ctx, 'key.list', accountId)) };
}

export async function revokeKey(ctx: Context, id: string): Promise<void> {
  const { accounts } = ctx.ports;
  const audit = toAuditEntry(ctx, 'key.revoke', id, {}, await accounts.accountOfKey(id));
  if (!(await accounts.revokeKey(id, audit))) throw notFound('key');
}
