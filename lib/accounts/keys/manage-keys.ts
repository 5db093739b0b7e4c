import { type Context, notFound, requireAccount } from '../../http/context.ts';
import { audited } from '../audited.ts';
import type { ApiKey } from '../operator/schemas.ts';
import { endKey, findKeys, updateKey } from './queries.ts';

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

/** Revoking twice is no mistake. `accountId` is null for the operator, who revokes any. */
export async function revokeKey(ctx: Context, id: string, accountId: string | null): Promise<void> {
  const toAct = (account_id: string) => ({ action: 'key.revoke', target: id, accountId: account_id });
  await audited(ctx, toAct, async ({ ports }) => {
    const [key] = await endKey(ports.db, id, accountId);
    if (!key) throw notFound('key');
    return key.account_id;
  });
}
