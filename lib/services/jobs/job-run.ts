import type { Ports } from '../../ports/ports.ts';

/** What a run of a job came to. */
export interface JobRun {
  /** `busy`: another worker has the job. */
  outcome: 'done' | 'busy';
  /** What it counted. */
  result: object | null;
}

/** Runs a job unless another worker has it, for as long as the lease lasts. */
export async function runUnderLease(
  { leases }: Pick<Ports, 'leases'>,
  { job, seconds }: { job: string; seconds: number },
  work: () => Promise<object>,
): Promise<JobRun> {
  const lease = await leases.acquire(job, seconds);
  if (lease === null) return { outcome: 'busy', result: null };
  let result: object = { failed: true };
  try {
    result = await work();
  } finally {
    // A throw must not keep the lease: the next delivery tries again.
    await leases.release(job, lease.fence, { ...result });
  }
  return { outcome: 'done', result };
}
