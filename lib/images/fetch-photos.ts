import type { Job } from '../db/jobs/queue.ts';
import { backoffAfter, type Outcome, type Work } from '../jobs/work-off.ts';
import type { Ports } from '../ports.ts';
import { announceImages, listImages } from './queries/images.ts';
import { settleImages } from './settle-images.ts';

const TIMEOUT_MS = 10_000;
/** Until photos of a host that was slow, or that there was no time for, are asked for again. */
const LATER_SECONDS = 60;

/** Fetches the photos of a listing that are pending; the job's key is the listing's hash. */
export const photos: Work = {
  kind: 'photos',
  maxWorkers: 4,
  // A photo that many trucks name is fetched for the first of them only.
  maxPerAccount: 1,
  start(ports, untilMs) {
    const failures = new Map<string, number>();
    return (job) => fetchPhotos(ports, job, failures, untilMs);
  },
};

async function fetchPhotos(
  ports: Ports,
  job: Job,
  failures: Map<string, number>,
  untilMs: number,
): Promise<Outcome> {
  const { db } = ports;
  const { accountId, key } = job;
  const signal = AbortSignal.timeout(Math.max(0, untilMs - ports.clock.now()));
  const limits = { timeoutMs: TIMEOUT_MS, signal, failures };
  const settled = await settleImages(ports, accountId, await listImages(db, accountId, key), limits, job);
  const outcomes = [...settled.values()];
  const passing = outcomes.flatMap((one) => (one.kind === 'transient' ? [one.afterSeconds ?? 0] : []));
  const counts = { photos: outcomes.length };
  if (passing.length > 0) return { again: Math.max(backoffAfter(job.tries), ...passing), counts };
  if (outcomes.some(({ kind }) => kind === 'pending')) return { again: LATER_SECONDS, counts, isNoTry: true };
  await announceImages(db, accountId, key);
  return { again: null, counts };
}
