import { FeedFault } from '../../../lib/feeds/feed-faults.ts';

/** The fault that fetching a feed's file ends with. */
export async function catchFault(work: Promise<unknown>): Promise<FeedFault> {
  const error: unknown = await work.then(
    (answer) => new Error(`answered ${JSON.stringify(answer)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof FeedFault) return error;
  throw error;
}
