import type { Ports } from '../../ports/ports.ts';
import { type JobRun, runUnderLease } from '../jobs/job-run.ts';

const LEASE_SECONDS = 120;
/** Stops well before the lease ends, so that a slow last step is still under it. */
const WORK_MS = 60_000;

/**
 * Folds what writers appended to the facets. The lease only keeps doubled deliveries from working side by side: each
 * step is one statement that takes and adds, so two at once, or one cut off anywhere, count nothing twice or never.
 */
export function foldFacets(ports: Pick<Ports, 'clock' | 'facets' | 'leases'>): Promise<JobRun> {
  return runUnderLease(ports, { job: 'facets', seconds: LEASE_SECONDS }, () => foldAll(ports));
}

async function foldAll({ clock, facets }: Pick<Ports, 'clock' | 'facets'>) {
  const until = clock.now() + WORK_MS;
  const result = { accounts: 0, folded: 0, swept: 0 };
  for (const accountId of await facets.pending()) {
    if (clock.now() > until) break;
    const account = facets.of(accountId);
    result.accounts += 1;
    for (let more = true; more && clock.now() < until; ) {
      const folded = await account.fold();
      result.folded += folded;
      more = folded > 0;
    }
    result.swept += await account.sweep();
  }
  return result;
}
