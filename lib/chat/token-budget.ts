import { addTokens, readTokens } from '../accounts/usage.ts';
import { ApiError } from '../errors.ts';
import { newId } from '../outside/new-id.ts';
import type { Ports } from '../ports.ts';
import { DAY_MS } from '../truck/time.ts';

/** AI_DAILY_TOKENS: what the provider may cost the whole deployment on a day, UTC. */

/** Of the day's tokens; then whoever runs the service gets a mail. */
const WARN_SHARE = 0.8;
const MAIL_TIMEOUT_MS = 20_000;

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

/** Counts what a reply cost; the one that reaches 80 % of a day sets off the mail. */
export async function countTokens(ports: Ports, tokens: number): Promise<void> {
  const { aiDailyTokens: max } = ports.settings;
  if (max === null || tokens === 0) return;
  const used = await addTokens(ports.db, tokens);
  const warned = max * WARN_SHARE;
  if (used >= warned && used - tokens < warned) await mailWarning(ports, used, max);
}

async function mailWarning(
  { mailer, settings, random, log }: Ports,
  used: number,
  max: number,
): Promise<void> {
  log.write({ level: 'warn', event: 'ai_tokens', used, max });
  const mail = {
    to: settings.supportEmail,
    replyTo: null,
    subject: 'Most of today’s AI tokens are used',
    text: `Chat has used ${used} of the ${max} tokens of AI_DAILY_TOKENS today. When they are used up, it offers the lead form until midnight UTC.\n`,
    id: newId({ random }, 'tokens'),
  };
  await mailer.send(mail, AbortSignal.timeout(MAIL_TIMEOUT_MS));
}
