import type { Ports } from '../../ports/ports.ts';
import type { JobRun } from '../jobs/job-run.ts';

const JOB = 'facets';
const LEASE_SECONDS = 120;
/** Stops well before the lease ends, so that a slow last step is still under it. */
const WORK_MS = 60_000;

/**
 * Folds what writers appended to the facets. The lease only keeps doubled deliveries from working side by side: each
 * step is one statement that takes and adds, so two at once, or one cut off anywhere, count nothing twice or never.
 */
export async function foldFacets({
  clock,
  facets,
  leases,
}: Pick<Ports, 'clock' | 'facets' | 'leases'>): Promise<JobRun> {
  const lease = await leases.acquire(JOB, LEASE_SECONDS);
  if (lease === null) return { outcome: 'busy', result: null };
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
  await leases.release(JOB, lease.fence, result);
  return { outcome: 'done', result };
}
