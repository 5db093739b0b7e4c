import { setTimeout as sleep } from 'node:timers/promises';
import { FEED_LIMITS } from '../../contract/feeds/feed-fields.ts';
import { ApiError } from '../../errors.ts';
import type { ClaimedRun, FeedClaim } from '../../ports/feeds/feed-runs.ts';
import type { AccountFeeds, FeedRun } from '../../ports/feeds/feeds.ts';
import type { Ports } from '../../ports/ports.ts';
import { audited } from '../accounts/audited.ts';
import { type Context, notFound, requireAccount } from '../context.ts';
import { drainQueue } from '../jobs/work-queue.ts';
import { newId } from '../new-id.ts';
import { type RunOutcome, runFeed } from './run/run-feed.ts';
import { serializeFeedRun } from './serialize-feed.ts';

/** Starting, releasing and working off runs. */

const POLL_MS = 250;

export interface RunAnswer {
  run: ReturnType<typeof serializeFeedRun>;
  ended: boolean;
}

/** Queues a run, or finds the one under way, and starts it; with `wait` answers when it has ended. */
export async function startFeedRun(ctx: Context, feedId: string, wait: boolean): Promise<RunAnswer> {
  const accountId = requireAccount(ctx).id;
  const act = (run: string) => ({ action: 'feed.run', target: feedId, detail: { run } });
  const runId = await audited(ctx, act, async ({ ports }) => {
    const started = await ports.feeds.of(accountId).start(feedId, newId(ports, 'run'));
    if (started === null) throw notFound('feed');
    return started;
  });
  return workOffRun(ctx, { accountId, feedId, runId }, wait);
}

/** Lets a held run delist. Throws INVALID_PARAMS when it is not held, or a later run took its place. */
export async function releaseRun(
  ctx: Context,
  { id: feedId, run: runId }: { id: string; run: string },
  wait: boolean,
): Promise<RunAnswer> {
  const accountId = requireAccount(ctx).id;
  await audited(
    ctx,
    (run: FeedRun | null) =>
      run && { action: 'feed.release', target: feedId, detail: { run: runId, delisted: run.would_delist } },
    ({ ports }) => release(ports.feeds.of(accountId), feedId, runId),
  );
  return workOffRun(ctx, { accountId, feedId, runId }, wait);
}

/** The run as it was held; null when it was released before. */
async function release(feeds: AccountFeeds, feedId: string, runId: string): Promise<FeedRun | null> {
  const run = await feeds.run(feedId, runId, 0);
  const released = await feeds.release(feedId, runId);
  if (run === null || released === null) throw notFound('run');
  if (released === 'superseded')
    throw releaseRefused(
      'superseded',
      'A later run has taken its place.',
      'Release the newest run of the feed.',
    );
  if (released === 'released') return run;
  // Otherwise it is a repeat of a release that worked.
  if (run.would_delist === null || run.status === 'held')
    throw releaseRefused('not_held', 'This run is not held.', 'Only a run with the status held is released.');
  return null;
}

function releaseRefused(reason: string, message: string, fix: string): ApiError {
  return new ApiError('INVALID_PARAMS', message, { details: { field: 'run', reason, fix } });
}

type Which = Pick<FeedClaim, 'accountId' | 'feedId' | 'runId'>;

async function workOffRun(ctx: Context, which: Which, wait: boolean): Promise<RunAnswer> {
  const { ports } = ctx;
  const until = ports.clock.now() + ports.settings.feeds.softDeadlineMs;
  if (wait) await waitFor(ports, which, until);
  else ctx.after((own) => workOn(own, which, until));
  const run = await ports.feeds
    .of(which.accountId)
    .run(which.feedId, which.runId, FEED_LIMITS.rejectsReturned);
  if (run === null) throw notFound('run');
  ctx.note({ feed: which.feedId, run: which.runId, run_status: run.status });
  return { run: serializeFeedRun(run), ended: wait && hasEnded(run) };
}

const hasEnded = ({ status }: FeedRun) => status !== 'queued' && status !== 'running';

/** Runs that this process works on at a time, so that a slow server keeps no other dealer waiting. */
const MAX_RUNS = 3;
/** Of this process, by its queue: invocations that overlap in it share its memory and its disk. */
const underWay = new WeakMap<object, number>();

const countRuns = ({ feedRuns }: Ports, by: 0 | 1 | -1): number => {
  const runs = (underWay.get(feedRuns) ?? 0) + by;
  underWay.set(feedRuns, runs);
  return runs;
};

/** Null when nothing is due, or this process has enough to do. */
async function claimRun(ports: Ports, which: Which | null): Promise<ClaimedRun | null> {
  if (countRuns(ports, 0) >= MAX_RUNS) return null;
  countRuns(ports, 1);
  let run: ClaimedRun | null = null;
  try {
    run = await ports.feedRuns.claim(ports.settings.feeds.leaseSeconds, which);
    return run;
  } finally {
    if (run === null) countRuns(ports, -1);
  }
}

async function runClaimed(ports: Ports, run: ClaimedRun, until: number): Promise<RunOutcome> {
  try {
    return await runFeed(ports, run, until);
  } finally {
    countRuns(ports, -1);
  }
}

/** Works on this run, unless another worker does. */
async function workOn(ports: Ports, which: Which, until: number): Promise<void> {
  const claimed = await claimRun(ports, which);
  if (claimed !== null) await runClaimed(ports, claimed, until);
}

/** Until the run has ended, whoever works on it, or time is up. */
async function waitFor(ports: Ports, which: Which, until: number): Promise<void> {
  for (;;) {
    await workOn(ports, which, until);
    const run = await ports.feeds.of(which.accountId).run(which.feedId, which.runId, 0);
    if (run === null || hasEnded(run) || ports.clock.now() > until) return;
    await sleep(POLL_MS);
  }
}

/**
 * Queues runs of feeds that are due and works off what is queued or was cut off until time is up. Any number of these may
 * run at the same time: a run is claimed by one.
 */
export async function runDueFeeds(ports: Ports) {
  const { feedRuns, clock, settings } = ports;
  const until = clock.now() + settings.feeds.softDeadlineMs;
  const result = { queued: 0, runs: 0 } as Record<string, number> & { queued: number; runs: number };
  await drainQueue<ClaimedRun>({
    maxWorkers: MAX_RUNS,
    until,
    clock,
    async claim() {
      // Also what came due while others' runs were under way.
      result.queued += await feedRuns.queueDue();
      const run = await claimRun(ports, null);
      return run === null ? [] : [run];
    },
    async work(run) {
      const outcome = await runClaimed(ports, run, until);
      result.runs += 1;
      result[outcome] = (result[outcome] ?? 0) + 1;
    },
  });
  return { outcome: 'done' as const, result };
}
