import { type Context, isPublic, requireAccount } from '../../http/context.ts';
import { overLimit } from '../../http/guards/fair-use.ts';
import type { Quota } from '../../limiter/limits.ts';
import type { LeadInput } from '../schemas/widget.ts';
import { isBot } from './is-bot.ts';
import { challengeFor, isProven } from './proof-of-work.ts';
import { readVisitorToken } from './visitor-token.ts';

/** Nobody reads a page, opens a form and fills it in faster. */
const FASTEST_MS = 3_000;
/** Leads an address may leave before each further one costs a proof of work: offices share addresses. */
export const FREE_LEADS: Quota = { name: 'widget-free-leads', limit: 5, windowSeconds: 600 };
/** Leads of an address to one seller that count as clean: a few dozen addresses do not use up what is mailed in an hour. */
export const CLEAN_LEADS: Quota = { name: 'widget-clean-leads', limit: 4, windowSeconds: 3_600 };

const SOLVE =
  'Find a nonce for which the SHA-256 of `token.nonce` begins with `difficulty` zero bits, and send the lead again with `"proof": { "token", "nonce" }`.';

/** Why a lead of the public may not be a person's. It is kept and flagged: a dealer would rather look twice. */
export async function findSpamSignals(ctx: Context, lead: LeadInput): Promise<string[]> {
  if (!isPublic(ctx)) return [];
  const visit = lead.visit ? readVisitorToken(ctx, 'visit', lead.visitorId, lead.visit) : null;
  const signals = {
    honeypot: lead.company !== undefined,
    bot: await isBot(ctx.userAgent),
    no_visit: visit === null,
    too_fast: visit !== null && visit.ageMs < FASTEST_MS,
    busy_address: await isBusy(ctx, lead),
  };
  return Object.entries(signals).flatMap(([name, isFound]) => (isFound ? [name] : []));
}

/**
 * Whether an address leaves more leads than its clean ones, or than the free ones where limits only count; elsewhere
 * RATE_LIMITED with a challenge for it, until the work is done.
 */
async function isBusy(ctx: Context, { visitorId, proof }: LeadInput): Promise<boolean> {
  const { limiter, settings } = ctx.ports;
  const { address } = ctx;
  const verdict = await limiter.take(FREE_LEADS, address);
  if (verdict.allowed || (proof && (await isProven(ctx, visitorId, proof))))
    return !(await limiter.take(CLEAN_LEADS, `${requireAccount(ctx).id}:${address}`)).allowed;
  const challenge = await challengeFor(ctx, visitorId);
  const task = challenge ? { challenge, fix: SOLVE } : {};
  const refusal = overLimit(ctx, FREE_LEADS, verdict, 'Many leads come from this address.', task);
  if (settings.fairUse === 'enforce') throw refusal;
  return true;
}
