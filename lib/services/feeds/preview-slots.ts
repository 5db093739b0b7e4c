import { ApiError } from '../../errors.ts';
import type { Context } from '../context.ts';
import { requireAccount } from '../context.ts';

/** Previews that an account may have under way. */
const MAX_OF_ACCOUNT = 2;
/** Files that this process reads for people at a time, one of an account: each reader may take 160 MB. */
const MAX_READERS = 3;
/** A caller whose file is still waiting by then hears when to come back. */
const MAX_WAIT_MS = 30_000;
const RETRY_AFTER = { 'Retry-After': '15' };

interface Slots {
  previews: Map<string, number>;
  /** Accounts whose file is being read. */
  reading: Set<string>;
  /** Those that wait for a reader, and of which account. */
  waiting: Map<() => void, string>;
}

/** Of this process, by the reader of files. */
const slots = new WeakMap<object, Slots>();

function slotsFor({ ports }: Context): Slots {
  const known = slots.get(ports.feedFiles) ?? { previews: new Map(), reading: new Set(), waiting: new Map() };
  slots.set(ports.feedFiles, known);
  return known;
}

/** Runs a preview of the calling account. Throws RATE_LIMITED when it has too many under way. */
export async function inPreviewSlot<T>(ctx: Context, preview: () => Promise<T>): Promise<T> {
  const { previews } = slotsFor(ctx);
  const { id } = requireAccount(ctx);
  const underWay = previews.get(id) ?? 0;
  if (underWay >= MAX_OF_ACCOUNT)
    throw tooMany(`${MAX_OF_ACCOUNT} previews of this account are under way; wait for one to end.`);
  previews.set(id, underWay + 1);
  try {
    return await preview();
  } finally {
    const left = (previews.get(id) ?? 1) - 1;
    if (left > 0) previews.set(id, left);
    else previews.delete(id);
  }
}

/** Reads a file when a reader is free. Throws RATE_LIMITED when none is for `maxWaitMs`. */
export async function inReaderSlot<T>(
  ctx: Context,
  read: () => Promise<T>,
  maxWaitMs: number = MAX_WAIT_MS,
): Promise<T> {
  const own = slotsFor(ctx);
  const { id } = requireAccount(ctx);
  if (mayRead(own, id)) own.reading.add(id);
  else await waitForReader(own, id, maxWaitMs);
  try {
    return await read();
  } finally {
    own.reading.delete(id);
    for (const [take, accountId] of own.waiting) if (mayRead(own, accountId)) take();
  }
}

const mayRead = ({ reading }: Slots, accountId: string) =>
  reading.size < MAX_READERS && !reading.has(accountId);

/** Resolves once the account has a reader. */
function waitForReader({ reading, waiting }: Slots, accountId: string, maxWaitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const take = () => {
      clearTimeout(timer);
      waiting.delete(take);
      reading.add(accountId);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(take);
      reject(tooMany('Too many files are being read; try again soon.'));
    }, maxWaitMs);
    waiting.set(take, accountId);
  });
}

function tooMany(message: string): ApiError {
  return new ApiError('RATE_LIMITED', message, { details: { reason: 'over_limit' }, headers: RETRY_AFTER });
}
