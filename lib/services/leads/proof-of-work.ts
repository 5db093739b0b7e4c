import { createHash } from 'node:crypto';
import type { Quota } from '../../ports/limits.ts';
import type { Context } from '../context.ts';
import { isSigned, sign } from '../signed-token.ts';
import { toSignedText } from './visit-token.ts';

/** Zero bits of the proof's hash: some 260,000 hashes, a few seconds in a browser. */
const DIFFICULTY = 18;
const LIFETIME_MS = 600_000;
/** A token opens the door once. */
const USES: Quota = { name: 'widget-proofs', limit: 1, windowSeconds: LIFETIME_MS / 1_000 };

export interface Challenge {
  algorithm: 'SHA-256';
  token: string;
  difficulty: number;
}

/** A task for this visitor at this address. Nothing of it is remembered here. */
export function challengeFor(ctx: Context, visitorId: string): Challenge {
  const made = Math.floor(ctx.ports.clock.now()).toString(36);
  const salt = Buffer.from(ctx.ports.random.bytes(9)).toString('base64url');
  const token = `${made}.${salt}.${sign(ctx.ports, 'proof-of-work', toTask(ctx, visitorId, made, salt))}`;
  return { algorithm: 'SHA-256', token, difficulty: DIFFICULTY };
}

/** Whether this visitor at this address did a task, not long ago, and did not use it before. */
export async function isProven(
  ctx: Context,
  visitorId: string,
  { token, nonce }: { token: string; nonce: string },
): Promise<boolean> {
  const [made = '', salt = '', signature = '', ...more] = token.split('.');
  const task = toTask(ctx, visitorId, made, salt);
  if (more.length > 0 || !isSigned(ctx.ports, 'proof-of-work', task, signature)) return false;
  if (ctx.ports.clock.now() - Number.parseInt(made, 36) > LIFETIME_MS) return false;
  if (zeroBits(createHash('sha256').update(`${token}.${nonce}`).digest()) < DIFFICULTY) return false;
  return (await ctx.ports.limiter.take(USES, signature)).allowed;
}

const toTask = (ctx: Context, visitorId: string, ...task: readonly string[]) =>
  toSignedText(ctx, visitorId, ctx.caller.address, ...task);

/** Zero bits at the beginning. */
export function zeroBits(hash: Uint8Array): number {
  const at = hash.findIndex((byte) => byte !== 0);
  return at === -1 ? hash.length * 8 : at * 8 + Math.clz32(hash[at] ?? 0) - 24;
}
