import type { Job } from '../db/jobs/queue.ts';
import { BACKOFF_STEPS, backoffAfter, type Outcome, type Work } from '../jobs/drain.ts';
import { settleAll } from '../outside/settle-all.ts';
import type { Ports } from '../ports.ts';
import { fetchImage, type ImageLimits, type ImageOutcome } from './fetch-image.ts';
import { announceImages, isFull, readImageStates, saveVerdict } from './queries/images.ts';

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
  const outcomes = await settleImages(ports, job, limits);
  const passing = outcomes.flatMap((one) => (one.kind === 'transient' ? [one.afterSeconds ?? 0] : []));
  const counts = { photos: outcomes.length };
  if (passing.length > 0) return { again: Math.max(backoffAfter(job.tries), ...passing), counts };
  if (outcomes.some(({ kind }) => kind === 'pending')) return { again: LATER_SECONDS, counts, isNoTry: true };
  await announceImages(db, accountId, key);
  return { again: null, counts };
}

/**
 * Fetches those of the listing's images that are pending, and writes down what becomes of each, unless the worker has lost its job.
 * A throw over one of them waits until all others have ended.
 */
async function settleImages(ports: Ports, job: Job, limits: ImageLimits): Promise<ImageOutcome[]> {
  const { db } = ports;
  const { accountId, key } = job;
  const states = await readImageStates(db, accountId, key);
  const hasNoRoom = states.some(({ status }) => status === 'pending') && (await isFull(db, accountId));
  // Too many tries, or too many workers ended over it.
  const isOver = job.tries > BACKOFF_STEPS;
  const settled = states.map(async ({ url, status, reason }): Promise<ImageOutcome> => {
    if (status === 'stored') return { kind: 'stored' };
    if (status === 'failed') return { kind: 'dead', reason: reason ?? 'failed' };
    const outcome: ImageOutcome =
      hasNoRoom || isOver
        ? { kind: 'dead', reason: hasNoRoom ? 'account_full' : (reason ?? 'parked') }
        : await fetchImage(ports, { accountId, url, ...limits });
    if (outcome.kind === 'stored' && outcome.image)
      await saveVerdict(db, job, url, { status: 'stored', image: outcome.image });
    else if (outcome.kind === 'dead' || outcome.kind === 'transient') {
      const status = outcome.kind === 'dead' ? 'failed' : 'pending';
      await saveVerdict(db, job, url, { status, reason: outcome.reason });
    }
    return outcome;
  });
  return settleAll(settled);
}
