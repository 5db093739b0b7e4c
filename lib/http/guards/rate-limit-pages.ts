import type { Session } from '../../ports/accounts/people.ts';
import type { Quota } from '../../ports/limits.ts';
import type { RequestState } from '../request-state.ts';
import { checkVerdict } from './rate-limit.ts';

/** Pages and forms of a person: more than anyone reads. */
export const PAGES: Quota = { name: 'pages', limit: 120, windowSeconds: 60 };
/** Forms of an address where nobody is signed in; the pages that show them read nothing. */
export const PUBLIC_FORMS: Quota = { name: 'public-forms', limit: 120, windowSeconds: 60 };

/** Throws RATE_LIMITED when a person asks for more pages than one reads. The operator is trusted. */
export async function countVisit(
  state: RequestState,
  { person, account, isOperator }: Session,
): Promise<void> {
  if (isOperator || (person === null && state.request.method !== 'POST')) return;
  const limit = PAGES.limit * (account?.limit_multiplier ?? 1);
  const quota = person === null ? PUBLIC_FORMS : { ...PAGES, limit };
  const verdict = await state.ports.limiter.take(quota, person === null ? state.address : person.id);
  const message = `More than ${quota.limit} pages a minute: wait ${verdict.retryAfterSeconds} seconds, then load the page again.`;
  checkVerdict(state, quota, verdict, message);
}
