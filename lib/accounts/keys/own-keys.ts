import { type Context, notFound, requireAccount } from '../../http/context.ts';
import { newId } from '../../outside/new-id.ts';
import { hashSecret } from '../../outside/secrets/hash-secret.ts';
import { createKey, type KeyInput, tooManyKeys } from '../accounts.ts';
import { toAuditEntry } from '../audited.ts';
import { MAX_KEYS } from '../operator/schemas.ts';
import { KEY_ENTROPY_BYTES, keyPrefix, makeKey } from './api-key.ts';

/** Keys as the owners of an account manage them: in the dashboard only, never with a key. */

/** How long a rotated key goes on beside its successor, in hours. */
export const OVERLAP_HOURS = [0, 1, 24, 168] as const;

const ownKeys = (ctx: Context) => ctx.ports.accounts.ownKeys(requireAccount(ctx).id);

export const listOwnKeys = (ctx: Context) => ownKeys(ctx).list();

export async function readOwnKey(ctx: Context, id: string) {
  const key = await ownKeys(ctx).get(id);
  if (key === null) throw notFound('key');
  return key;
}

/** Makes a key of the caller's account; the answer is the only time that it is shown. */
export function createOwnKey(ctx: Context, input: Omit<KeyInput, 'account_id'>) {
  const { id, tier } = requireAccount(ctx);
  return createKey(ctx, { ...input, account_id: id }, MAX_KEYS[tier]);
}

export async function changeOwnKey(
  ctx: Context,
  id: string,
  { name, allowed_origins }: { name: string | null; allowed_origins: readonly string[] },
): Promise<void> {
  const allowedOrigins = [...new Set(allowed_origins.map((origin) => origin.toLowerCase()))];
  const audit = toAuditEntry(ctx, 'key.change', id, { name, allowed_origins: allowedOrigins });
  if (!(await ownKeys(ctx).change(id, { name, allowedOrigins }, audit))) throw notFound('key');
}

export async function revokeOwnKey(ctx: Context, id: string): Promise<void> {
  if (!(await ownKeys(ctx).revoke(id, toAuditEntry(ctx, 'key.revoke', id)))) throw notFound('key');
}

/** Makes a key that does what this one does, which goes on for so many hours. The new key is shown this once. */
export async function rotateOwnKey(
  ctx: Context,
  id: string,
  overlapHours: (typeof OVERLAP_HOURS)[number],
): Promise<{ id: string; key: string }> {
  const { kind } = await readOwnKey(ctx, id);
  const account = requireAccount(ctx);
  const mode = account.test ? 'test' : 'live';
  const key = makeKey(kind, mode, ctx.ports.random.bytes(KEY_ENTROPY_BYTES));
  const createdBy = ctx.principal?.keyId ?? 'operator';
  const next = { id: newId(ctx.ports, 'key'), prefix: keyPrefix(key), hash: hashSecret(key), createdBy };
  const audit = toAuditEntry(ctx, 'key.rotate', id, { new_key: next.id, overlap_hours: overlapHours });
  const rotated = await ownKeys(ctx).rotate(id, next, overlapHours, MAX_KEYS[account.tier], audit);
  if (rotated === 'too_many') throw tooManyKeys();
  if (!rotated) throw notFound('key');
  return { id: next.id, key };
}
