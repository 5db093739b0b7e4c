import type { Job } from '../db/jobs/queue.ts';
import { MAX_TRIES } from '../jobs/work-off.ts';
import { settleAll } from '../outside/settle-all.ts';
import { fetchImage, type ImageLimits, type ImageOutcome, type ImagePorts } from './fetch-image.ts';
import { isFull, readImageStates, saveVerdict } from './queries/images.ts';

/**
 * Fetches those of these images that are pending, and writes down what becomes of each, unless the worker has lost its job.
 * A throw over one of them waits until all others have ended.
 */
export async function settleImages(
  ports: ImagePorts,
  accountId: string,
  urls: readonly string[],
  limits: ImageLimits,
  job: Job | null,
): Promise<Map<string, ImageOutcome>> {
  const { db } = ports;
  const states = await readImageStates(db, accountId, [...new Set(urls)]);
  const hasNoRoom = states.some(({ status }) => status === 'pending') && (await isFull(db, accountId));
  // Tried often enough, or one worker after the other vanished over it.
  const isOver = job !== null && job.tries > MAX_TRIES;
  const settled = states.map(async ({ url, status, reason }): Promise<[string, ImageOutcome]> => {
    if (status === 'stored') return [url, { kind: 'stored' }];
    if (status === 'failed') return [url, { kind: 'dead', reason: reason ?? 'failed' }];
    const outcome: ImageOutcome =
      hasNoRoom || isOver
        ? { kind: 'dead', reason: hasNoRoom ? 'account_full' : (reason ?? 'parked') }
        : await fetchImage(ports, { accountId, url, ...limits });
    if (outcome.kind === 'stored' && outcome.image)
      await saveVerdict(db, accountId, url, { status: 'stored', image: outcome.image }, job);
    else if (outcome.kind === 'dead' || outcome.kind === 'transient') {
      const status = outcome.kind === 'dead' ? 'failed' : 'pending';
      await saveVerdict(db, accountId, url, { status, reason: outcome.reason }, job);
    }
    return [url, outcome];
  });
  return new Map(await settleAll(settled));
}
