import { isWellFormedKey } from '../../accounts/keys/api-key.ts';
import { type Principal, readPrincipal } from '../../accounts/keys/principal.ts';
import { ApiError, type Reason } from '../../errors.ts';
import type { Quota } from '../../limiter/limits.ts';
import { hashSecret } from '../../outside/secrets/hash-secret.ts';
import { isSame } from '../../outside/secrets/signed-token.ts';
import type { Context } from '../context.ts';
import type { Guard } from '../endpoint.ts';
import { countUse, spend } from './fair-use.ts';

/** Failed attempts with keys that an address may make; a valid key is never refused by it. */
export const AUTH_FAILURES: Quota = { name: 'auth-failures', limit: 300, windowSeconds: 60 };
/** Calls with a token that is no key, right or wrong: the right one among many guesses looks like the others. */
export const SECRET_CALLS: Quota = { name: 'secret-calls', limit: 600, windowSeconds: 60 };

const TOO_MANY = 'Too many failed attempts from this address.';

const BEARER = /^bearer +(\S+) *$/i;

/**
 * Returns the principal of a key, null for other guards.
 * Throws UNAUTHORIZED, FORBIDDEN, or RATE_LIMITED for an address that fails too often.
 */
export async function authenticate(ctx: Context, guards: ReadonlySet<Guard>): Promise<Principal | null> {
  const { ports, request, address } = ctx;
  const isWidget = guards.has('widget');
  if (guards.has('anyone')) return null;
  const bearer = BEARER.exec(request.headers.get('authorization') ?? '')?.[1];
  const token = bearer ?? (isWidget ? readKeyParameter(request.url) : undefined);
  const isKey = token !== undefined && isWellFormedKey(token);
  const takesKeys = isWidget || guards.has('secret-key');
  if (token && !(isKey && takesKeys) && (guards.has('operator') || guards.has('cron')))
    return checkSecret(ctx, guards, token);
  const principal =
    isKey && takesKeys
      ? await readPrincipal(ports, hashSecret(token), isWidget ? readOrigin(request) : null)
      : null;
  if (principal) return checkPrincipal(principal, isWidget);
  // Only what may be a guess at a key is counted across instances: junk must not cost a round trip.
  await countUse(ctx, AUTH_FAILURES, address, TOO_MANY, isKey ? ports.limiter : ports.localLimiter);
  throw token
    ? tokenRejected()
    : unauthorized('No Bearer token; send `Authorization: Bearer <key>`.', 'token_missing');
}

function checkPrincipal(principal: Principal, isWidget: boolean): Principal {
  if (principal.account.suspended) throw unauthorized('The account is suspended.', 'account_suspended');
  if (isWidget || principal.kind === 'secret') return principal;
  throw new ApiError('FORBIDDEN', 'A publishable key works on widget routes only; use a secret key here.', {
    details: { reason: 'publishable_key' },
  });
}

/** Throws UNAUTHORIZED for another token than the operator's or the cron's, RATE_LIMITED for an address that sends many. */
async function checkSecret(ctx: Context, guards: ReadonlySet<Guard>, token: string): Promise<null> {
  const { adminToken, cronSecret } = ctx.ports.settings;
  await spend(ctx, SECRET_CALLS, ctx.address, TOO_MANY);
  const isRight =
    (guards.has('operator') && isSameSecret(token, adminToken)) ||
    (guards.has('cron') && isSameSecret(token, cronSecret));
  if (!isRight) throw tokenRejected();
  return null;
}

const tokenRejected = () =>
  unauthorized('The Bearer token is malformed, unknown, revoked or expired.', 'token_rejected');

/** Of the page that calls, if it looks like one. */
function readOrigin({ headers }: Request): string | null {
  const origin = headers.get('origin');
  return origin !== null && /^https?:\/\/[\w.:-]{1,250}$/.test(origin) ? origin : null;
}

/** A page may send its publishable key as `key`: a request without headers of its own needs no preflight. */
const readKeyParameter = (url: string) => /[?&]key=(ctis_wk_\w{1,100})(?=&|$)/.exec(url)?.[1];

function unauthorized(message: string, reason: Reason): ApiError {
  return new ApiError('UNAUTHORIZED', message, {
    details: { reason },
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** Compares in constant time; an unset secret matches nothing. */
function isSameSecret(token: string, secret: string | null): boolean {
  return secret !== null && isSame(hashSecret(token), hashSecret(secret));
}
