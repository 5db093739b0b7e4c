import { type Context, notFound, requireAccount } from '../../http/context.ts';
import { audited } from '../audited.ts';
import type { ApiKey } from '../operator/schemas.ts';
import { toOrigins } from './create-key.ts';
import { endAnyKey, endKey, listKeysByAge, listKeysByUse, type OwnKey, updateKey } from './queries.ts';

/** Keys as the owners of an account manage them, in the dashboard only: another account's are absent. */

export const listOwnKeys = (ctx: Context): Promise<OwnKey[]> =>
  listKeysByUse(ctx.ports.db, requireAccount(ctx).id);

export async function readOwnKey(ctx: Context, id: string): Promise<OwnKey> {
  const [key] = await listKeysByUse(ctx.ports.db, requireAccount(ctx).id, id);
  if (!key) throw notFound('key');
  return key;
}

export async function changeOwnKey(
  ctx: Context,
  id: string,
  change: Pick<ApiKey, 'name' | 'allowed_origins'>,
): Promise<void> {
  const detail = { ...change, allowed_origins: toOrigins(change.allowed_origins) };
  await audited(ctx, { action: 'key.change', target: id, detail }, async ({ ports: { db } }) => {
    if (!(await updateKey(db, requireAccount(ctx).id, id, detail))) throw notFound('key');
  });
}

export async function revokeOwnKey(ctx: Context, id: string): Promise<void> {
  await audited(ctx, { action: 'key.revoke', target: id }, async ({ ports: { db } }) => {
    if (!(await endKey(db, requireAccount(ctx).id, id))) throw notFound('key');
  });
}

/** As operators manage them: every call leaves an audit row, whatever came of it. */

export async function listKeys(ctx: Context, accountId: string): Promise<{ keys: ApiKey[] }> {
  const act = { action: 'key.list', target: accountId };
  return { keys: await audited(ctx, act, ({ ports }) => listKeysByAge(ports.db, accountId)) };
}

/** Revoking twice is no mistake. */
export async function revokeKey(ctx: Context, id: string): Promise<void> {
  const toAct = (accountId: string | null) => ({ action: 'key.revoke', target: id, accountId });
  const accountId = await audited(ctx, toAct, ({ ports }) => endAnyKey(ports.db, id));
  if (accountId === null) throw notFound('key');
}
