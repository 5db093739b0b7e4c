import type * as z from 'zod/mini';
import type { Sql } from '../../db/sql.ts';
import { ApiError } from '../../errors.ts';
import { type Context, notFound, requireAccount } from '../../http/context.ts';
import { newId } from '../../outside/new-id.ts';
import { hashSecret } from '../../outside/secrets/hash-secret.ts';
import { type KeyKind, MAX_KEYS } from '../access.ts';
import { audited } from '../audited.ts';
import type { ApiKey, KeyCreate } from '../operator/schemas.ts';
import { lockAccount } from '../queries/accounts.ts';
import { KEY_ENTROPY_BYTES, keyPrefix, makeKey } from './api-key.ts';
import { countKeys, insertKey } from './queries.ts';

type KeyInput = Pick<
  z.output<typeof KeyCreate>,
  'kind' | 'allowed_origins' | 'name' | 'scopes' | 'dealers' | 'expires_at'
>;

/** Makes a key of the caller's account; the answer is the only time that it is shown. */
export function createOwnKey(ctx: Context, input: KeyInput) {
  const { id, tier } = requireAccount(ctx);
  return createKey(ctx, id, input, MAX_KEYS[tier]);
}

/** `maxKeys`: how many of the account may work at a time. */
export async function createKey(
  ctx: Context,
  accountId: string,
  { kind, name = null, dealers, expires_at = null, ...input }: KeyInput,
  maxKeys = Number.POSITIVE_INFINITY,
): Promise<ApiKey & { key: string }> {
  checkEnd(ctx, expires_at);
  const allowed_origins = toOrigins(input.allowed_origins);
  const scopes = input.scopes ? [...new Set(input.scopes)] : null;
  const limits = { kind, allowed_origins, name, scopes, dealer: dealers?.[0] ?? null, expires_at };
  const toAct = ({ id }: ApiKey) => ({
    action: 'key.create',
    target: id,
    detail: { account_id: accountId, ...limits },
    accountId,
  });
  return audited(ctx, toAct, async ({ ports: { db } }) => {
    const isTest = await lockAccount(db, accountId);
    if (isTest === null) throw notFound('account');
    await checkRoom(db, accountId, maxKeys);
    const { key, trace } = drawKey(ctx, kind, isTest);
    const [made] = await insertKey(db, accountId, { ...trace, ...limits });
    if (!made) throw new Error('the insert returned no row');
    return { ...made, key };
  });
}

function checkEnd({ ports: { clock } }: Context, expires_at: string | null): void {
  if (expires_at === null || Date.parse(expires_at) > clock.now()) return;
  throw new ApiError('INVALID_PAYLOAD', 'expires_at must be in the future.', {
    details: {
      field: 'expires_at',
      reason: 'out_of_range',
      received: expires_at,
      fix: `Send a time after ${new Date(clock.now()).toISOString()}.`,
    },
  });
}

/** A new key, and what is stored of it instead. */
export function drawKey(ctx: Context, kind: KeyKind, isTest: boolean) {
  const key = makeKey(kind, isTest ? 'test' : 'live', ctx.ports.random.bytes(KEY_ENTROPY_BYTES));
  const trace = {
    id: newId(ctx.ports, 'key'),
    prefix: keyPrefix(key),
    hash: hashSecret(key),
    created_by: ctx.principal?.keyId ?? 'operator',
  };
  return { key, trace };
}

/** The account is locked: of two that ask at once, only one takes the last place. */
export async function checkRoom(db: Sql, accountId: string, maxKeys: number): Promise<void> {
  if (maxKeys === Number.POSITIVE_INFINITY || (await countKeys(db, accountId)) < maxKeys) return;
  const { starter, pro, enterprise } = MAX_KEYS;
  const message = `At most ${starter} keys of a Starter account work at a time, ${pro} of Pro, ${enterprise} of Enterprise.`;
  throw new ApiError('INVALID_PAYLOAD', message, { details: { reason: 'too_many_keys' } });
}

export const toOrigins = (origins: readonly string[]): string[] => [
  ...new Set(origins.map((origin) => origin.toLowerCase())),
];
