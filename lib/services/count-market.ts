import { MARKET_JOB, type Ports } from '../ports.ts';
import type { Context } from './context.ts';

const LEASE_SECONDS = 120;
/** Stops well before the lease ends. */
const WORK_MS = 60_000;
/** Dirty marks counted in one transaction. */
const STEP = 250;
/** Batches in a row are counted together. */
const GATHER_MS = 750;
const TRIES = 3;

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
  await leases.release(MARKET_JOB, lease.fence, result);
  note({ market_marks_counted: result.counted });
  return { job: MARKET_JOB, outcome: 'done', result };
}

const gathering = new WeakSet<Ports>();

/** The same shortly after a large batch; while another run holds the lease it waits its turn a few times. */
export async function countMarketSoon(ports: Ports): Promise<void> {
  if (gathering.has(ports)) return;
  gathering.add(ports);
  for (let tries = 0; tries < TRIES; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    gathering.delete(ports);
    const { outcome } = await countMarket({ ports, note: () => undefined }, { trends: false });
    if (outcome === 'done') return;
  }
}
