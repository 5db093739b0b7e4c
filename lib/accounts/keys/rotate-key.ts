import { type Context, notFound, requireAccount } from '../../http/context.ts';
import { MAX_KEYS } from '../access.ts';
import { audited } from '../audited.ts';
import type { ApiKey } from '../operator/schemas.ts';
import { lockAccount } from '../queries/accounts.ts';
import { checkRoom, drawKey } from './create-key.ts';
import { readOwnKey } from './manage-keys.ts';
import { replaceKey } from './queries.ts';

/** How long a rotated key goes on beside its successor, in hours; 0: it ends at once. */
export const OVERLAP_HOURS = [0, 1, 24, 168] as const;

/** Makes a key that does what this one does, which goes on for so many hours. The new key is shown this once. */
export async function rotateOwnKey(
  ctx: Context,
  id: string,
  overlap_hours: (typeof OVERLAP_HOURS)[number],
): Promise<ApiKey & { key: string }> {
  const { kind } = await readOwnKey(ctx, id);
  const account = requireAccount(ctx);
  const { key, trace } = drawKey(ctx, kind, account.test);
  const act = { action: 'key.rotate', target: id, detail: { new_key: trace.id, overlap_hours } };
  return audited(ctx, act, async ({ ports: { db } }) => {
    await lockAccount(db, account.id);
    // As many as before work where the old one ends.
    if (overlap_hours > 0) await checkRoom(db, account.id, MAX_KEYS[account.tier]);
    const next = await replaceKey(db, account.id, id, trace, overlap_hours);
    if (next === null) throw notFound('key');
    return { ...next, key };
  });
}
