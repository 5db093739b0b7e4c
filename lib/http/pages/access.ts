import type { Session } from '../../accounts/people/port.ts';
import { ApiError } from '../../errors.ts';
import type { PageEntry } from './page.ts';

/** Who may see and use a page. */

/** Sensitive acts need a sign-in of the last 15 minutes. */
export const FRESH_MS = 15 * 60_000;

/** What stands between a session and a page; null: nothing. Throws for a page that is not for this person. */
export function checkAccess(
  session: Session,
  { role, isForErasure }: PageEntry,
): 'sign_in' | 'choose_account' | 'undo_erasure' | null {
  if (role === 'anyone') return null;
  if (session.isOperator) return role !== 'operator' && session.account === null ? 'choose_account' : null;
  if (session.person === null) return 'sign_in';
  if (role === 'operator') throw new ApiError('NOT_FOUND', 'There is no such page.');
  if (session.account?.erase_at && session.person.role === 'owner')
    return isForErasure ? null : 'undo_erasure';
  if (session.account?.suspended)
    throw new ApiError('FORBIDDEN', 'The account is suspended.', {
      details: { reason: 'account_suspended' },
    });
  if (role === 'owner' && session.person.role !== 'owner')
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
