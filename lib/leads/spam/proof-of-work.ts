import { createHash } from 'node:crypto';
import type { Context } from '../../http/context.ts';
import type { Quota } from '../../limiter/limits.ts';
import { isSigned, sign } from '../../outside/secrets/signed-token.ts';
import { toSignedText } from './visit-token.ts';

/** Zero bits of the first proof's hash: some 65,000 hashes, a second or two in a browser. */
const MIN_DIFFICULTY = 16;
const LIFETIME_MS = 600_000;
/** Tasks of an address. Each is twice the one before; the last takes a browser a minute or two. */
const TASKS: Quota = { name: 'widget-tasks', limit: 7, windowSeconds: LIFETIME_MS / 1_000 };
/** A token opens the door once. */
const USES: Quota = { name: 'widget-proofs', limit: 1, windowSeconds: LIFETIME_MS / 1_000 };

export interface Challenge {
  algorithm: 'SHA-256';
  token: string;
  difficulty: number;
}

/** A task for this visitor at this address, and none after the last one of the address. */
export async function challengeFor(ctx: Context, visitorId: string): Promise<Challenge | null> {
  const { allowed, remaining } = await ctx.ports.limiter.take(TASKS, ctx.caller.address);
  if (!allowed) return null;
  const difficulty = MIN_DIFFICULTY + TASKS.limit - 1 - remaining;
  const made = Math.floor(ctx.ports.clock.now()).toString(36);
  const salt = Buffer.from(ctx.ports.random.bytes(9)).toString('base64url');
  const task = toTask(ctx, visitorId, made, salt, String(difficulty));
  const token = `${made}.${salt}.${difficulty}.${sign(ctx.ports, 'proof-of-work', task)}`;
  return { algorithm: 'SHA-256', token, difficulty };
}

/** Whether this visitor at this address did a task, not long ago, and did not use it before. */
export async function isProven(
  ctx: Context,
  visitorId: string,
  { token, nonce }: { token: string; nonce: string },
): Promise<boolean> {
  const [made = '', salt = '', difficulty = '', signature = '', ...more] = token.split('.');
  const task = toTask(ctx, visitorId, made, salt, difficulty);
  if (more.length > 0 || !isSigned(ctx.ports, 'proof-of-work', task, signature)) return false;
  if (ctx.ports.clock.now() - Number.parseInt(made, 36) > LIFETIME_MS) return false;
  if (zeroBits(createHash('sha256').update(`${token}.${nonce}`).digest()) < Number(difficulty)) return false;
  return (await ctx.ports.limiter.take(USES, signature)).allowed;
}

const toTask = (ctx: Context, visitorId: string, ...task: readonly string[]) =>
  toSignedText(ctx, visitorId, ctx.caller.address, ...task);

/** Zero bits at the beginning. */
export function zeroBits(hash: Uint8Array): number {
  const at = hash.findIndex((byte) => byte !== 0);
  return at === -1 ? hash.length * 8 : at * 8 + Math.clz32(hash[at] ?? 0) - 24;
}
