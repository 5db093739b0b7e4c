import type { Sql } from '../../db/sql.ts';
import { ApiError } from '../../errors.ts';
import { type Context, notFound, requireAccount } from '../../http/context.ts';
import { newId } from '../../outside/new-id.ts';
import { hashSecret } from '../../outside/secrets/hash-secret.ts';
import { type KeyKind, MAX_KEYS, type Tier } from '../access.ts';
import { audited } from '../audited.ts';
import type { ApiKey, NewKey } from '../operator/schemas.ts';
import { lockAccount } from '../queries/accounts.ts';
import { KEY_ENTROPY_BYTES, keyPrefix, makeKey } from './api-key.ts';
import { countKeys, endKey, findKeys, insertKey, replaceKey, updateKey } from './queries.ts';

/** Keys are made here; a secret key is shown in this answer only. */

type ShownKey = ApiKey & { key: string };

export function createOwnKey(ctx: Context, input: NewKey): Promise<ShownKey> {
  const { id, tier } = requireAccount(ctx);
  return createKey(ctx, id, input, tier);
}

/** `tier` is null for the operator, who makes as many as are wanted. */
export async function createKey(
  ctx: Context,
  accountId: string,
  { kind, allowed_origins, name, scopes, dealers, expires_at }: NewKey,
  tier: Tier | null,
): Promise<ShownKey> {
  const limits = { kind, allowed_origins, name, scopes, dealer: dealers?.[0], expires_at };
  const toAct = ({ id }: ApiKey) => ({ action: 'key.create', target: id, detail: limits, accountId });
  return audited(ctx, toAct, async ({ ports: { db } }) => {
    const [account] = await lockAccount(db, accountId);
    if (!account) throw notFound('account');
    if (tier !== null) await checkRoom(db, accountId, tier);
    const { key, trace } = drawKey(ctx, kind, account.test);
    return { ...(await insertKey(db, accountId, { ...trace, ...limits })), key };
  });
}

/** Makes a key that does what this one does, which goes on for 24 hours beside it. */
export async function rotateOwnKey(ctx: Context, id: string): Promise<ShownKey> {
  const { kind } = await readOwnKey(ctx, id);
  const account = requireAccount(ctx);
  const { key, trace } = drawKey(ctx, kind, account.test);
  const act = { action: 'key.rotate', target: id, detail: { new_key: trace.id } };
  return audited(ctx, act, async ({ ports: { db } }) => {
    await lockAccount(db, account.id);
    await checkRoom(db, account.id, account.tier);
    const [successor] = await replaceKey(db, account.id, id, trace);
    if (!successor) throw notFound('key');
    return { ...successor, key };
  });
}

/** A new key, and what is stored of it. */
function drawKey({ ports, principal }: Context, kind: KeyKind, isTest: boolean) {
  const key = makeKey(kind, isTest ? 'test' : 'live', ports.random.bytes(KEY_ENTROPY_BYTES));
  const created_by = principal?.callerId ?? 'operator';
  const widget_key = kind === 'publishable' ? key : null;
  const trace = {
    id: newId(ports, 'key'),
    prefix: keyPrefix(key),
    hash: hashSecret(key),
    widget_key,
    created_by,
  };
  return { key, trace };
}

/** The account is locked: of two that ask at once, only one takes the last place. */
async function checkRoom(db: Sql, accountId: string, tier: Tier): Promise<void> {
  if ((await countKeys(db, accountId)) < MAX_KEYS[tier]) return;
  const message = `At most ${MAX_KEYS[tier]} keys of this account work at a time.`;
  const fix = 'Revoke one that nothing uses, or ask for a higher tier.';
  throw new ApiError('INVALID_PAYLOAD', message, { details: { reason: 'too_many_keys', fix } });
}

/** Keys as the owners of an account manage them, in the dashboard only: another account's are absent. */

export const listOwnKeys = (ctx: Context): Promise<ApiKey[]> =>
  findKeys(ctx.ports.db, requireAccount(ctx).id);

export async function readOwnKey(ctx: Context, id: string): Promise<ApiKey> {
  const [key] = await findKeys(ctx.ports.db, requireAccount(ctx).id, id);
  if (!key) throw notFound('key');
  return key;
}

export async function changeOwnKey(
  ctx: Context,
  id: string,
  detail: Pick<ApiKey, 'name' | 'allowed_origins'>,
): Promise<void> {
  await audited(ctx, { action: 'key.change', target: id, detail }, async ({ ports: { db } }) => {
    const [key] = await updateKey(db, requireAccount(ctx).id, id, detail);
    if (!key) throw notFound('key');
  });
}

/** As operators list them; the call leaves an audit row. */
export async function listKeys(ctx: Context, accountId: string): Promise<{ keys: ApiKey[] }> {
  const act = { action: 'key.list', target: accountId };
  return { keys: await audited(ctx, act, ({ ports }) => findKeys(ports.db, accountId)) };
}

/**
 * Revoking twice is no mistake. `accountId` is null for the operator, who revokes any, and whose call leaves an audit row
 * whatever came of it.
 */
export async function revokeKey(ctx: Context, id: string, accountId: string | null): Promise<void> {
  const toAct = (owner: string | null) =>
    owner === null && accountId !== null ? null : { action: 'key.revoke', target: id, accountId: owner };
  const owner = await audited(ctx, toAct, async ({ ports }) => {
    const [key] = await endKey(ports.db, id, accountId);
    return key?.account_id ?? null;
  });
  if (owner === null) throw notFound('key');
}
