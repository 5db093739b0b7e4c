import { addTokens, readTokens } from '../accounts/usage.ts';
import { ApiError } from '../errors.ts';
import type { Ports } from '../ports.ts';
import { DAY_MS } from '../truck/time.ts';

/** AI_DAILY_TOKENS: what the provider may cost the whole deployment on a day, UTC. */

/** Share of the day's tokens from which the log warns the operator. */
const WARN_SHARE = 0.8;

/** What a visitor reads once the chat answers no more on a day. */
export const USED_UP = 'The chat has answered its share for today; leave your details instead.';

/** Throws RATE_LIMITED until midnight when the day's tokens are used up. Messages being answered may exceed them. */
export async function refuseSpentTokens({ db, settings, clock }: Ports): Promise<void> {
  const { aiDailyTokens: max } = settings;
  if (max === null || (await readTokens(db)) < max) return;
  throw new ApiError('RATE_LIMITED', USED_UP, {
    details: { reason: 'daily_tokens_used' },
    headers: { 'Retry-After': String(Math.ceil((DAY_MS - (clock.now() % DAY_MS)) / 1_000)) },
  });
}

/** Counts what a reply cost; the one that reaches 80 % of a day warns in the log. */
export async function countTokens({ db, settings, log }: Ports, tokens: number): Promise<void> {
  const { aiDailyTokens: max } = settings;
  if (max === null || tokens === 0) return;
  const total = await addTokens(db, tokens);
  const warned = max * WARN_SHARE;
  if (total >= warned && total - tokens < warned)
    log.write({ level: 'warn', event: 'ai_tokens', used: total, max });
}
