import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError, type Reason } from '../../errors.ts';
import type { Principal } from '../../ports/accounts/accounts.ts';
import type { Quota } from '../../ports/limits.ts';
import { isWellFormedKey } from '../../services/accounts/api-key.ts';
import { hashSecret } from '../../services/hash-secret.ts';
import type { Guard } from '../endpoint.ts';
import type { RequestState } from '../request-state.ts';
import { checkVerdict } from './rate-limit.ts';

/** Failed attempts an address may make; a valid key is never refused by it. */
export const AUTH_FAILURES: Quota = { name: 'auth-failures', limit: 300, windowSeconds: 60 };

const BEARER = /^bearer +(\S+) *$/i;

/**
 * Returns the principal of a key, null for other guards.
 * Throws UNAUTHORIZED, FORBIDDEN, or RATE_LIMITED for an address that fails too often.
 */
export async function authenticate(
  state: RequestState,
  guards: ReadonlySet<Guard>,
): Promise<Principal | null> {
  const { ports, request, address } = state;
  if (guards.has('anyone')) return null;
  const bearer = BEARER.exec(request.headers.get('authorization') ?? '')?.[1];
  const token = bearer ?? (guards.has('widget') ? readKeyParameter(request.url) : undefined);
  if (token) {
    if (guards.has('operator') && sameSecret(token, ports.settings.adminToken)) return null;
    if (guards.has('cron') && sameSecret(token, ports.settings.cronSecret)) return null;
    if (takesKeys(guards) && isWellFormedKey(token)) {
      const principal = await ports.accounts.authenticate(
        hashSecret(token),
        guards.has('widget') ? readOrigin(request) : null,
      );
      if (principal?.account.suspended) throw unauthorized('The account is suspended.', 'account_suspended');
      if (principal?.kind === 'publishable' && !guards.has('widget'))
        throw new ApiError(
          'FORBIDDEN',
          'A publishable key works on widget routes only; use a secret key here.',
          { details: { reason: 'publishable_key' } },
        );
      if (principal) return principal;
    }
  }
  // Only what may be a guess at a secret is counted across instances: junk must not cost a round trip.
  const guess = token !== undefined && (!takesKeys(guards) || isWellFormedKey(token));
  const verdict = await (guess ? ports.limiter : ports.localLimiter).take(AUTH_FAILURES, address);
  checkVerdict(state, AUTH_FAILURES, verdict, 'Too many failed attempts from this address.');
  throw token
    ? unauthorized('The Bearer token is malformed, unknown, revoked or expired.', 'token_rejected')
    : unauthorized('No Bearer token; send `Authorization: Bearer <key>`.', 'token_missing');
}

/** Of the page that calls, if it looks like one. */
function readOrigin({ headers }: Request): string | null {
  const origin = headers.get('origin');
  return origin !== null && /^https?:\/\/[\w.:-]{1,250}$/.test(origin) ? origin : null;
}

/** A page may send its publishable key as `key`: a request without headers of its own needs no preflight. */
const readKeyParameter = (url: string) => /[?&]key=(ctis_wk_\w{1,100})(?=&|$)/.exec(url)?.[1];

const takesKeys = (guards: ReadonlySet<Guard>) => guards.has('secret-key') || guards.has('widget');

function unauthorized(message: string, reason: Reason): ApiError {
  return new ApiError('UNAUTHORIZED', message, {
    details: { reason },
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** Compares in constant time; an unset secret matches nothing. */
function sameSecret(given: string, secret: string | null): boolean {
  if (secret === null) return false;
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
