import { setTimeout as sleep } from 'node:timers/promises';
import { audited } from '../accounts/audited.ts';
import { type Context, invalid, notFound, requireAccount } from '../http/context.ts';
import { drain, type Work } from '../jobs/drain.ts';
import { newId } from '../outside/new-id.ts';
import { isUnderWay, UPLOAD_FEED } from './feed.ts';
import { readFeedRun } from './feeds.ts';
import { beginRun } from './queries/begin-run.ts';
import { untilDue } from './queries/feed-runs.ts';
import { queueRun, refuseHeld, releaseHeld } from './queries/start-run.ts';

/** Starting, releasing and working off runs. */

/** Queues a run, or finds the one under way, and starts it; with `wait` answers when it has ended. */
export async function startFeedRun(ctx: Context, feedId: string, wait: boolean) {
  if (feedId === UPLOAD_FEED) throw notFound('feed');
  const act = (run: string) => ({ action: 'feed.run', target: feedId, detail: { run } });
  const runId = await audited(ctx, act, async ({ ports }) => {
    const id = await queueRun(ports.db, requireAccount(ctx).id, feedId, newId(ports, 'run'));
    if (id === null) throw notFound('feed');
    return id;
  });
  return workOnRun(ctx, feedId, runId, wait);
}

type RunParams = Record<'id' | 'run', string>;

/** Lets a held run delist. Throws INVALID_PARAMS when it is not held, or a later run is under way. */
export async function releaseRun(ctx: Context, params: RunParams, wait: boolean) {
  await decideHeld(ctx, params, 'feed.release', releaseHeld);
  return workOnRun(ctx, params.id, params.run, wait);
}

/** Closes a held run without delisting. Throws INVALID_PARAMS when it is not held. */
export async function refuseRun(ctx: Context, params: RunParams) {
  await decideHeld(ctx, params, 'feed.refuse', refuseHeld);
  return readFeedRun(ctx, params.id, params.run);
}

async function decideHeld(
  ctx: Context,
  { id: feedId, run: runId }: RunParams,
  action: string,
  decide: typeof releaseHeld,
) {
  const { would_delist: trucks } = await readFeedRun(ctx, feedId, runId);
  const act = { action, target: feedId, detail: { run: runId, trucks } };
  await audited(ctx, act, async ({ ports }) => {
    if (await decide(ports.db, requireAccount(ctx).id, feedId, runId)) return;
    const fix = 'Send the newest run of the feed if its status is held, while no later run is under way.';
    throw invalid('run', 'is not held, or a later run is under way', { reason: 'not_held', fix });
  });
}

const POLL_MS = 500;

/** Starts work on the run; with `wait` until it has ended, whoever works on it, or time is up. */
async function workOnRun(ctx: Context, feedId: string, runId: string, wait: boolean) {
  const { ports } = ctx;
  const job = { accountId: requireAccount(ctx).id, key: feedId };
  const untilMs = ports.clock.now() + ports.settings.feeds.softDeadlineMs;
  if (!wait) ctx.after((jobPorts) => drain(jobPorts, feedWork, job));
  for (;;) {
    if (wait) await drain(ports, feedWork, job);
    const run = await readFeedRun(ctx, feedId, runId);
    ctx.note({ feed: feedId, run: runId, run_status: run.status });
    if (!wait || !isUnderWay(run) || ports.clock.now() > untilMs) return run;
    await sleep(POLL_MS);
  }
}

/** Until a run goes on whose worker had too little time left. */
const PAUSE_SECONDS = 5;
/** Until a run goes on that a part of ours interrupted, which keeps no other feed waiting. */
const INTERRUPTED = { again: 60, isNoTry: true, counts: { runs: 1, interrupted: 1 } };

/** Pulls feeds that are due and goes on with runs that were cut off; the job's key is the feed. */
export const feedWork: Work = {
  kind: 'feed',
  // A slow server keeps no other dealer waiting, and a file takes memory and disk.
  maxWorkers: 3,
  start: (ports, untilMs) => async (job) => {
    const { accountId, key } = job;
    // The pipeline and what it brings along is read when a run begins.
    const { runFeed } = await import('./run/run-feed.ts');
    const run = await beginRun(ports.db, accountId, key, newId(ports, 'run'));
    const outcome = run && (await runFeed(ports, run, untilMs));
    if (outcome === 'interrupted') return INTERRUPTED;
    const counts = outcome === null ? {} : { runs: 1, [outcome]: 1 };
    const again = outcome === 'yielded' ? PAUSE_SECONDS : await untilDue(ports.db, accountId, key);
    return { again, counts };
  },
};
