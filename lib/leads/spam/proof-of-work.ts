import { hash } from 'node:crypto';
import type { Context } from '../../http/context.ts';
import type { LeadInput } from '../schemas/widget.ts';
import { makeVisitorToken, readVisitorToken, TOKEN_SECONDS } from './visitor-token.ts';

/** Zero bits of the first proof's hash: some 65,000 hashes, a second or two in a browser. */
const MIN_DIFFICULTY = 16;
const windowSeconds = TOKEN_SECONDS['proof-of-work'];
/** Tasks of an address. Each is twice the one before; the last takes a browser a minute or two. */
const TASKS = { name: 'widget-tasks', limit: 7, windowSeconds };
/** A token opens the door once. */
const USES = { name: 'widget-proofs', limit: 1, windowSeconds };

/** A task for this visitor at this address, and none after the last one of the address. */
export async function challengeFor(ctx: Context, visitorId: string) {
  const { allowed, remaining } = await ctx.ports.limiter.take(TASKS, ctx.address);
  if (!allowed) return null;
  const difficulty = MIN_DIFFICULTY + TASKS.limit - 1 - remaining;
  const salt = Buffer.from(ctx.ports.random.bytes(9)).toString('base64url');
  const token = makeVisitorToken(ctx, 'proof-of-work', toWho(ctx, visitorId), salt, String(difficulty));
  return { algorithm: 'SHA-256', token, difficulty };
}

/** Whether this visitor at this address did a task, not long ago, and did not use it before. */
export async function isProven(
  ctx: Context,
  visitorId: string,
  { token, nonce }: NonNullable<LeadInput['proof']>,
): Promise<boolean> {
  const [salt, difficulty] =
    readVisitorToken(ctx, 'proof-of-work', toWho(ctx, visitorId), token)?.facts ?? [];
  if (salt === undefined) return false;
  const number = BigInt(`0x${hash('sha256', `${token}.${nonce}`)}`);
  if (number >> BigInt(256 - Number(difficulty)) > 0n) return false;
  return (await ctx.ports.limiter.take(USES, salt)).allowed;
}

const toWho = ({ address }: Context, visitorId: string) => `${visitorId} ${address}`;
