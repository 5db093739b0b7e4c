import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../db/sql.ts';
import { ApiError } from '../errors.ts';
import type { Ports } from '../ports/ports.ts';
import { audited } from '../services/accounts/audited.ts';
import { type Context, notFound, requireAccount } from '../services/context.ts';
import { type Work, workOff } from '../services/jobs/work-off.ts';
import { newId } from '../services/new-id.ts';
import { type FeedRun, UPLOAD_FEED } from './feed.ts';
import { beginRun } from './queries/begin-run.ts';
import { untilDue } from './queries/feed-runs.ts';
import { queueRun, readRun, sendToDelist } from './queries/feeds.ts';
import { runFeed } from './run/run-feed.ts';
import { FEED_LIMITS } from './schemas/feed-fields.ts';

/** Starting, releasing and working off runs. */

const POLL_MS = 250;

export interface RunAnswer {
  run: FeedRun;
  ended: boolean;
}

/** Queues a run, or finds the one under way, and starts it; with `wait` answers when it has ended. */
export async function startFeedRun(ctx: Context, feedId: string, wait: boolean): Promise<RunAnswer> {
  const accountId = requireAccount(ctx).id;
  if (feedId === UPLOAD_FEED) throw notFound('feed');
  const act = (run: string) => ({ action: 'feed.run', target: feedId, detail: { run } });
  const runId = await audited(ctx, act, async ({ ports }) => {
    const started = await queueRun(ports.db, accountId, feedId, newId(ports, 'run'));
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
    ({ ports }) => release(ports.db, { accountId, feedId, runId }),
  );
  return workOffRun(ctx, { accountId, feedId, runId }, wait);
}

/** The run as it was held; null when it was released before. */
async function release(db: Sql, { accountId, feedId, runId }: Which): Promise<FeedRun | null> {
  const run = await readRun(db, accountId, feedId, runId, 0);
  const released = await sendToDelist(db, accountId, feedId, runId);
  if (run === null || released === null) throw notFound('run');
  if (released === 'superseded')
    throw releaseRefused(
      'superseded',
      'A later run has taken its place.',
      'Release the newest run of the feed.',
    );
  if (released === 'released') return run;
  // Otherwise it is a repeat of a release that worked.
  if (run.would_delist === undefined || run.status === 'held')
    throw releaseRefused('not_held', 'This run is not held.', 'Only a run with the status held is released.');
  return null;
}

function releaseRefused(reason: string, message: string, fix: string): ApiError {
  return new ApiError('INVALID_PARAMS', message, { details: { field: 'run', reason, fix } });
}

interface Which {
  accountId: string;
  feedId: string;
  runId: string;
}

async function workOffRun(ctx: Context, which: Which, wait: boolean): Promise<RunAnswer> {
  const { ports } = ctx;
  if (wait) await waitFor(ports, which);
  else ctx.after((own) => workOff(own, feedWork, toJob(which)));
  const run = await readRun(
    ports.db,
    which.accountId,
    which.feedId,
    which.runId,
    FEED_LIMITS.rejectsReturned,
  );
  if (run === null) throw notFound('run');
  ctx.note({ feed: which.feedId, run: which.runId, run_status: run.status });
  return { run, ended: wait && hasEnded(run) };
}

const hasEnded = ({ status }: FeedRun) => status !== 'queued' && status !== 'running';

const toJob = ({ accountId, feedId }: Which) => ({ accountId, key: feedId });

/** Until the run has ended, whoever works on it, or time is up. */
async function waitFor(ports: Ports, which: Which): Promise<void> {
  const untilMs = ports.clock.now() + ports.settings.feeds.softDeadlineMs;
  for (;;) {
    await workOff(ports, feedWork, toJob(which));
    const run = await readRun(ports.db, which.accountId, which.feedId, which.runId, 0);
    if (run === null || hasEnded(run) || ports.clock.now() > untilMs) return;
    await sleep(POLL_MS);
  }
}

/** Until a run goes on that a part of ours interrupted. */
const OWN_FAULT_SECONDS = 60;

/** Pulls feeds that are due and goes on with runs that were cut off; the job's key is the feed. */
export const feedWork: Work = {
  kind: 'feed',
  // A slow server keeps no other dealer waiting, and a file takes memory and disk.
  maxWorkers: 3,
  start: (ports, untilMs) => async (job) => {
    const { accountId, key } = job;
    const run = await beginRun(ports.db, accountId, key, newId(ports, 'run'));
    const outcome = run && (await runFeed(ports, run, untilMs));
    const counts = outcome === null ? {} : { runs: 1, [outcome]: 1 };
    if (outcome === 'interrupted') return { again: OWN_FAULT_SECONDS, counts };
    return { again: await untilDue(ports.db, accountId, key), counts };
  },
};
