import { hash } from 'node:crypto';
import type { Tier } from '../../contract/accounts/access.ts';
import type { Quota } from '../../ports/limits.ts';
import { type Context, requireAccount, requireDealer } from '../context.ts';
import { countUse } from '../fair-use.ts';

/**
 * What a model may cost: per visitor, and per account and day. How often an address may call is the route's own rule.
 * The day is a sliding log like every quota; its at most 10,000 stamps take 1.3 MB of Redis and no
 * longer than ten do.
 */
const PER_VISITOR: Quota = { name: 'chat-visitor', limit: 30, windowSeconds: 600 };
const PER_DAY: Readonly<Record<Tier, number>> = { starter: 0, pro: 2_000, enterprise: 10_000 };

/** Throws RATE_LIMITED when the visitor or the account has used up its messages. */
export async function spendMessage(ctx: Context, visitorId: string): Promise<void> {
  const { id, tier } = requireAccount(ctx);
  const visitor = hash('sha256', `${requireDealer(ctx).slug}\n${visitorId}`, 'base64url').slice(0, 22);
  await countUse(ctx, PER_VISITOR, `${id}:${visitor}`, 'You have sent many messages; take a short break.');
  const perDay = { name: 'chat-day', limit: PER_DAY[tier], windowSeconds: 86_400 };
  await countUse(ctx, perDay, id, 'The chat has answered its share for today; leave your details instead.');
}
