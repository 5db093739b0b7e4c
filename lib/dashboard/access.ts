import type { Session } from '../accounts/people/sessions.ts';
import { ApiError } from '../errors.ts';
import type { PageEntry } from '../http/pages/page.ts';

/** Who may see and use a page. */

/** Older sign-ins do nothing sensitive. */
export const MAX_SIGN_IN_AGE_MS = 15 * 60_000;

const toNextQuery = (path: string) => `next=${encodeURIComponent(path)}`;

export const signInAgain = (path: string): string => `/dashboard/sign-in?fresh=true&${toNextQuery(path)}`;

/** Where a session goes that cannot see the page yet; null: it can. Throws for a page that is not for this person. */
export function findDetour(session: Session, { role, isForErasure }: PageEntry, path: string): string | null {
  const { person, account, isOperator } = session;
  if (role === 'anyone') return null;
  if (isOperator) return role !== 'operator' && account === null ? '/dashboard/operator' : null;
  if (person === null) return `/dashboard/sign-in?${toNextQuery(path)}`;
  if (role === 'operator') throw new ApiError('NOT_FOUND', 'There is no such page.');
  if (account?.erase_at && person.role === 'owner') return isForErasure ? null : '/dashboard/erasure';
  if (account?.suspended)
    throw new ApiError('FORBIDDEN', 'The account is suspended.', {
      details: { reason: 'account_suspended' },
    });
  if (role === 'owner' && person.role !== 'owner')
    throw new ApiError('FORBIDDEN', 'This page is for owners of the account.');
  return null;
}

/** An operator who looks at a seller's account changes nothing of it. */
export function checkMayWrite(session: Session, { role }: PageEntry): void {
  if (session.isOperator && role !== 'operator' && role !== 'anyone')
    throw new ApiError('FORBIDDEN', 'An operator looks at an account and changes nothing in it.');
}

/** FORBIDDEN unless the form stands on a page of ours: browsers name the origin of every POST. */
export function checkOrigin(request: Request): void {
  if (request.headers.get('origin') === new URL(request.url).origin) return;
  throw new ApiError('FORBIDDEN', 'This form was not sent from a page of this service.');
}
