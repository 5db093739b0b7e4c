import { findDealer } from '../../accounts/dealers/find-dealer.ts';
import type { Dealer } from '../../accounts/dealers/schemas.ts';
import type { Principal } from '../../accounts/keys/principal.ts';
import { ApiError } from '../../errors.ts';
import { isBot } from '../../leads/spam/is-bot.ts';
import { SLUG_LIKE } from '../../truck/json.ts';
import type { Context } from '../context.ts';
import type { Endpoint, WidgetRules } from '../endpoint.ts';

/** What widget routes ask beyond a valid key: CORS, the page's origin, the dealer's owner, and protection from abuse. */

const EXPOSED = 'x-request-id, Retry-After';
const ALLOWED_HEADERS = 'authorization, content-type, x-request-id';
/** The longest that browsers keep a preflight's answer. */
const PREFLIGHT_SECONDS = 7_200;
/** A known bot gets a Retry-After of an hour. */
const BOT_SECONDS = 3_600;

/** A CORS preflight: OPTIONS with an Origin. It carries no token. */
export const isPreflight = (request: Request) =>
  request.method === 'OPTIONS' && request.headers.has('origin');

/**
 * The dealer of a widget call. FORBIDDEN for a page that may not use the key, and for a dealer of another account, in the
 * same words as for one that does not exist.
 */
export async function checkOwnership(
  { ports, request }: Context,
  principal: Principal,
  slug: string,
): Promise<Dealer> {
  checkOrigin(principal, request);
  const { account, dealer: keyDealer } = principal;
  const isReached = (keyDealer === null || keyDealer === slug) && SLUG_LIKE.test(slug);
  const dealer = isReached ? await findDealer(ports.db, account.id, slug) : null;
  if (dealer !== null) return dealer;
  throw new ApiError('FORBIDDEN', 'dealerSlug is none of this account’s dealers.', {
    details: { field: 'dealerSlug', reason: 'not_yours' },
  });
}

/** What lets a page read the answer: it is on the key's list by now, or reads why it is refused. */
export function corsHeaders({ headers }: Request): Record<string, string> {
  const origin = headers.get('origin');
  // A CDN keeps nothing that varies by Authorization; a key in the address is part of what it keeps an answer under.
  const Vary = headers.has('authorization') ? 'Origin, Authorization' : 'Origin';
  if (origin === null) return { Vary };
  return { Vary, 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED };
}

/** Any page may ask what it may send: each request is checked against its own key. */
export const preflightHeaders = (endpoints: readonly Endpoint[]): Record<string, string> => ({
  'Access-Control-Allow-Methods': endpoints.map(({ method }) => method).join(', '),
  'Access-Control-Allow-Headers': ALLOWED_HEADERS,
  'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
});

/**
 * FORBIDDEN unless a publishable key is used from a page on its list, and a secret one from no page at all. A page on
 * the service's own origin sends no Origin with a GET; the browser says `same-origin` instead.
 */
function checkOrigin(principal: Principal, request: Request): void {
  const originHeader = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  if (principal.kind === 'secret') {
    if (originHeader === null && site === null) return;
    throw new ApiError(
      'FORBIDDEN',
      'A secret key came from a browser: it is public now. Revoke it, and put a publishable key (ctis_wk_live_…) on the page.',
      { details: { reason: 'secret_key_in_browser' } },
    );
  }
  const origin = originHeader ?? (site === 'same-origin' ? new URL(request.url).origin : null);
  if (origin !== null && principal.allowedOrigins.includes(origin.toLowerCase())) return;
  throw new ApiError(
    'FORBIDDEN',
    origin === null
      ? 'A publishable key works in a page only: the request has no Origin.'
      : 'The key does not list the page’s origin; add it to allowed_origins.',
    { details: { field: 'Origin', reason: origin === null ? 'origin_missing' : 'origin_not_listed' } },
  );
}

/** RATE_LIMITED for known bots where they are not wanted. */
export async function checkBots({ ports, request, note }: Context, { bots }: WidgetRules<never>) {
  if (bots === 'served' || !(await isBot(request.headers.get('user-agent')))) return;
  note({ bot: true });
  if (ports.settings.fairUse === 'enforce')
    throw new ApiError('RATE_LIMITED', 'This is for visitors; bots are not answered.', {
      details: { reason: 'bot' },
      headers: { 'Retry-After': String(BOT_SECONDS) },
    });
}
