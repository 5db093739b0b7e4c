import { hash } from 'node:crypto';
import type { Tier } from '../accounts/access.ts';
import { findDealers } from '../accounts/dealers/find-dealer.ts';
import { type Context, isPublic, requireAccount, requireDealer } from '../http/context.ts';
import { overLimit, spend } from '../http/guards/fair-use.ts';
import { readVisitorToken } from '../leads/spam/visitor-token.ts';
import type { Quota } from '../limiter/limits.ts';
import type { ChatInput } from './schemas.ts';
import { refuseSpentTokens, USED_UP } from './token-budget.ts';

/**
 * Budgets of messages to the model: per visitor, address, dealer and account. The route itself limits the calls of an
 * address. A day is a sliding log of at most 10,000 stamps: 1.3 MB of Redis.
 */
const PER_VISITOR: Quota = { name: 'chat-visitor', limit: 30, windowSeconds: 600 };
const PER_ADDRESS: Quota = { name: 'chat-address', limit: 40, windowSeconds: 86_400 };
/** The part of PER_ADDRESS that needs no token of a visit. */
const WITHOUT_VISIT = { ...PER_ADDRESS, limit: 9 };
const PER_DAY: Readonly<Record<Tier, number>> = { starter: 0, pro: 2_000, enterprise: 10_000 };

/** Throws RATE_LIMITED when one of the budgets is used up. */
export async function spendMessage(ctx: Context, input: ChatInput): Promise<void> {
  const { id, tier } = requireAccount(ctx);
  const { slug } = requireDealer(ctx);
  const visitor = hash('sha256', `${slug}\n${input.visitorId}`, 'base64url').slice(0, 22);
  await spend(ctx, PER_VISITOR, `${id}:${visitor}`, 'You have sent many messages; take a short break.');
  // A server that calls with a secret key has one address for all its visitors.
  if (isPublic(ctx)) await spendOfAddress(ctx, input);
  const perDay = { name: 'chat-day', limit: PER_DAY[tier], windowSeconds: 86_400 };
  await spendOfDealer(ctx, { ...perDay, name: 'chat-dealer', limit: perDay.limit / 2 });
  await spend(ctx, perDay, id, USED_UP);
  await refuseSpentTokens(ctx.ports);
}

async function spendOfAddress(ctx: Context, { visitorId, visit }: ChatInput): Promise<void> {
  const { address } = ctx;
  if (visit && readVisitorToken(ctx, 'visit', visitorId, visit))
    return spend(ctx, PER_ADDRESS, address, USED_UP);
  const verdict = await ctx.ports.limiter.take(WITHOUT_VISIT, address);
  if (!verdict.allowed)
    throw overLimit(ctx, WITHOUT_VISIT, verdict, 'Many messages come from this address: send `visit`.', {
      reason: 'visit_missing',
    });
}

/** One dealer of several cannot use up the day of the others. */
async function spendOfDealer(ctx: Context, half: Quota): Promise<void> {
  const { id } = requireAccount(ctx);
  const verdict = await ctx.ports.limiter.take(half, `${id}:${requireDealer(ctx).slug}`);
  if (verdict.allowed) return;
  const dealers = await findDealers(ctx.ports.db, id, { limit: 2, after: null });
  if (dealers.length > 1) throw overLimit(ctx, half, verdict, USED_UP);
}
