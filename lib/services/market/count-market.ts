import { setTimeout as sleep } from 'node:timers/promises';
import { MARKET_JOB } from '../../ports/market.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Context } from '../context.ts';

const LEASE_SECONDS = 120;
/** Stops well before the lease ends. */
const WORK_MS = 60_000;
/** Dirty marks counted in one transaction: those of some batches, many of them the same. */
const STEP = 1_000;
/** Batches in a row are counted together, once none has come for a while … */
const QUIET_MS = 1_000;
/** … or when the first has waited for this long. */
const LATEST_MS = 3_000;
const TICK_MS = 250;
/** While another run holds the lease. */
const BUSY_MS = 500;
const TRIES = 4;

/**
 * Counts the cells of the market whose listings changed. Marks are taken and cells written in one transaction under
 * the lease, so a run that is cut off anywhere leaves its marks for the next.
 */
export async function countMarket(
  { ports, note }: Pick<Context, 'ports' | 'note'>,
  { trends }: { trends: boolean },
) {
  const { clock, leases, market } = ports;
  const lease = await leases.acquire(MARKET_JOB, LEASE_SECONDS);
  if (lease === null) return { job: MARKET_JOB, outcome: 'busy', result: null };
  const until = clock.now() + WORK_MS;
  const begun = new Date(clock.now()).toISOString();
  const before = await leases.last(MARKET_JOB);
  const result = { counted: 0, trends: 0, up_to: before?.result.up_to ?? null };
  try {
    for (let more = true; more && clock.now() < until; ) {
      const taken = await market.fold(lease.fence, STEP);
      result.counted += taken ?? 0;
      more = taken !== null && taken > 0;
    }
    for (let more: boolean | null = trends; more && clock.now() < until; ) {
      more = await market.foldTrend(lease.fence);
      if (more) result.trends += 1;
      if (more === false) result.up_to = begun;
    }
  } finally {
    // A throw must not keep the lease: the next run tries again.
    await leases.release(MARKET_JOB, lease.fence, result);
  }
  note({ market_marks_counted: result.counted });
  return { job: MARKET_JOB, outcome: 'done', result };
}

/** Batches that wait together, by instance; `quiet` is how long none has come. */
const gathering = new WeakMap<Ports, { quiet: number }>();

/** The same soon after a large batch; while another run holds the lease it waits its turn a few times. */
export async function countMarketSoon(ports: Ports): Promise<void> {
  const waiting = gathering.get(ports);
  if (waiting) {
    waiting.quiet = 0;
    return;
  }
  const own = { quiet: 0 };
  gathering.set(ports, own);
  for (let waited = 0; waited < LATEST_MS && own.quiet < QUIET_MS; waited += TICK_MS) {
    own.quiet += TICK_MS;
    await sleep(TICK_MS);
  }
  gathering.delete(ports);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { outcome } = await countMarket({ ports, note: () => undefined }, { trends: false });
    if (outcome === 'done') return;
    await sleep(BUSY_MS);
  }
}
