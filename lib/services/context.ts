import { ApiError } from '../errors.ts';
import type { Account, Ports, Principal } from '../ports.ts';

/** What every service works in; HTTP, cron and scripts make one alike. */
export interface Context {
  ports: Ports;
  /** Null for the operator, the cron and public routes. */
  principal: Principal | null;
  requestId: string;
  /** Scheme and host the caller used, for links in answers. */
  origin: string;
  /** True when the caller already holds this version (If-None-Match). */
  fresh(etag: string): boolean;
  /**
   * Starts work once the answer is made, if it is no refusal; it may outlive the request, or be cut off. Its ports are
   * the instance's own, not those of the request's transaction.
   */
  after(work: (ports: Ports) => Promise<unknown>): void;
  /** Adds facts to the request's one log line; never a token or personal data. */
  note(facts: Record<string, unknown>): void;
}

/** The calling account. A route without one that asks for it is a bug. */
export function accountOf(
  ctx: Context,
): Pick<Account, 'id' | 'tier' | 'limit_multiplier' | 'min_feed_cadence_minutes'> {
  if (!ctx.principal) throw new Error('this service needs an account');
  return ctx.principal.account;
}

/** A masked 404: the same for what is absent and for what belongs to somebody else. */
export function notFound(what: string): ApiError {
  return new ApiError('NOT_FOUND', `No ${what} matches.`);
}
