import { FairQueue } from '../../domain/fair-use/fair-queue.ts';
import { ApiError } from '../../errors.ts';
import { type Context, requireAccount } from '../../services/context.ts';
import { inTurn } from '../../services/in-turn.ts';

/** Files that this process reads for people at a time, one of an account: each reader may take 320 MB. */
const READERS = new FairQueue(3, 1);
/** Previews under way, two of an account. */
const PREVIEWS = new FairQueue(100, 2);
/** A caller whose file is still waiting by then hears when to come back. */
const MAX_WAIT_MS = 30_000;

/** Runs a preview of the calling account. Throws RATE_LIMITED when it has too many under way. */
export const inPreviewSlot = <T>(ctx: Context, preview: () => Promise<T>): Promise<T> =>
  take(ctx, PREVIEWS, 0, preview);

/** Reads a file when a reader is free. Throws RATE_LIMITED when none is in time. */
export const inReaderSlot = <T>(ctx: Context, read: () => Promise<T>): Promise<T> =>
  take(ctx, READERS, MAX_WAIT_MS, read);

async function take<T>(ctx: Context, queue: FairQueue, waitMs: number, work: () => Promise<T>): Promise<T> {
  const { id } = requireAccount(ctx);
  const done = await inTurn(queue, id, AbortSignal.timeout(waitMs), async () => ({ result: await work() }));
  if (done !== null) return done.result;
  throw new ApiError('RATE_LIMITED', 'Too many files are being read; wait for one to end.', {
    details: { reason: 'over_limit' },
    headers: { 'Retry-After': '15' },
  });
}
