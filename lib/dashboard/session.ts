import { generateCookie, getCookie } from 'hono/cookie';
import type { Principal } from '../accounts/keys/principal.ts';
import { findSession, type Session } from '../accounts/people/sessions.ts';
import { hashToken, KNOWN_MS } from '../accounts/people/tokens.ts';
import type { Context } from '../http/context.ts';
import { countUse } from '../http/guards/fair-use.ts';
import type { CookieName, Cookies } from '../http/pages/page.ts';
import type { Quota } from '../limiter/limits.ts';

/** Seconds that browsers keep the cookies; the service ends sessions and codes by itself. */
const COOKIE_SECONDS: Readonly<Record<CookieName, number>> = {
  session: 30 * 24 * 3_600,
  browser: 600,
  known: KNOWN_MS / 1_000,
};

/** Of a browser that is not signed in. */
export const NO_SESSION: Session = {
  id: '',
  person: null,
  isOperator: false,
  isByCode: false,
  account: null,
  signedInMs: 0,
};

/** The session of the request's cookie; its account becomes the one that services work for. */
export async function readSession(ctx: Context, cookies: Cookies): Promise<Session> {
  const token = cookies.get('session');
  if (!token) return NO_SESSION;
  const { db, sessions } = ctx.ports;
  const hash = hashToken(ctx.ports, token);
  const session = await sessions.read(hash, () => findSession(db, hash));
  if (session === null) return NO_SESSION;
  const actor = session.person?.id ?? 'operator';
  ctx.note({ person: actor });
  if (session.account === null) return session;
  ctx.note({ account: session.account.id });
  ctx.principal = toPrincipal(actor, session.account);
  return session;
}

/** A person does what an unlimited key does, and is the actor. */
function toPrincipal(callerId: string, account: Principal['account']): Principal {
  return {
    callerId,
    kind: 'secret',
    allowedOrigins: [],
    scopes: null,
    dealer: null,
    expiresAt: null,
    account,
  };
}

export interface RequestCookies extends Cookies {
  /** Set-Cookie headers. */
  readonly written: readonly string[];
}

/** Over HTTPS the names begin with __Host-; on a machine of one's own there is no HTTPS. */
export function requestCookies({ hono, request }: Context): RequestCookies {
  const isSecure = new URL(request.url).protocol === 'https:';
  const setCookies: string[] = [];
  return {
    written: setCookies,
    get: (name) => (isSecure ? getCookie(hono, name, 'host') : getCookie(hono, name)),
    set(name, value) {
      const maxAge = value === null ? 0 : COOKIE_SECONDS[name];
      const options = { path: '/', httpOnly: true, sameSite: 'Lax', maxAge } as const;
      setCookies.push(
        generateCookie(name, value ?? '', isSecure ? { ...options, secure: true, prefix: 'host' } : options),
      );
    },
  };
}

/** More than anyone reads: pages and forms of a person, or forms of an address where nobody is signed in. */
export const PAGE_QUOTA: Quota = { name: 'pages', limit: 120, windowSeconds: 60 };

/** Throws RATE_LIMITED above what a person reads. The operator is trusted. */
export async function countVisit(ctx: Context, { person, account, isOperator }: Session): Promise<void> {
  if (isOperator || (person === null && ctx.request.method !== 'POST')) return;
  const quota = { ...PAGE_QUOTA, limit: PAGE_QUOTA.limit * (account?.limit_multiplier ?? 1) };
  const message = `More than ${quota.limit} pages a minute: wait a minute, then load the page again.`;
  await countUse(ctx, quota, person?.id ?? ctx.address, message);
}
