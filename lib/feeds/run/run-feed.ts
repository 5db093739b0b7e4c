import { Unavailable } from '../../outside/faults.ts';
import type { Ports } from '../../ports.ts';
import { FeedFault, toFeedError } from '../feed-faults.ts';
import { endRun, interruptRun } from '../queries/end-run.ts';
import { LeaseLost } from '../queries/feed-claim.ts';
import { dropRaw } from '../raw-files.ts';
import type { ClaimedRun, FeedPhase, RunEnd, RunWork, Step } from './claimed-run.ts';
import { fetchFile } from './fetch-file.ts';
import { ingestParts } from './ingest-parts.ts';
import { compareSnapshot, delistMissing } from './reconcile.ts';

const STEPS: Readonly<Record<FeedPhase, Step>> = {
  fetch: fetchFile,
  ingest: ingestParts,
  reconcile: compareSnapshot,
  delist: delistMissing,
};

/** Workers in a row that may vanish over a run before it fails. */
const MAX_CLAIMS = 5;

/**
 * Works on a claimed run from where it stands until it ends or `until` (ms since the epoch) has passed. Whatever is
 * written names the fence of the claim; cut off anywhere, the run stands where it last wrote, and the next worker goes
 * on from there. `lost`: another worker has it; `interrupted`: a part of ours is away.
 */
export async function runFeed(ports: Ports, run: ClaimedRun, until: number) {
  const work: RunWork = { ports, run, until, secrets: [] };
  const startedAt = ports.clock.now();
  let outcome: RunEnd['status'] | 'yielded' | 'lost' | 'interrupted' = 'interrupted';
  try {
    const end = await takeSteps(work).catch((error: unknown) => toFailure(work, error));
    if (end.status === 'yielded') await interruptRun(ports.db, run);
    else {
      await endRun(ports.db, run, end);
      if (run.sha256 !== '') await dropRaw(ports, [run]);
    }
    outcome = end.status;
  } catch (error) {
    if (error instanceof LeaseLost) outcome = 'lost';
    else if (!(error instanceof Unavailable)) throw error;
  } finally {
    await work.file?.remove();
    ports.log.write({
      level: outcome === 'failed' ? 'warn' : 'info',
      event: 'feed_run',
      account: run.accountId,
      feed: run.feedId,
      run: run.runId,
      outcome,
      ms: ports.clock.now() - startedAt,
    });
  }
  return outcome;
}

async function takeSteps(work: RunWork) {
  const { run, ports } = work;
  if (run.claims > MAX_CLAIMS)
    throw new FeedFault(
      'given_up',
      `Reading the file was broken off ${MAX_CLAIMS} times in a row at the same place.`,
    );
  let next: Awaited<ReturnType<Step>> = run.phase;
  while (typeof next === 'string') {
    const phase: FeedPhase = next;
    const startedAt = ports.clock.now();
    try {
      next = await STEPS[phase](work);
    } finally {
      run.phases[phase] = (run.phases[phase] ?? 0) + Math.round(ports.clock.now() - startedAt);
    }
  }
  return next;
}

/** What a throw means for the run, if it means anything for it. */
async function toFailure({ ports, run, secrets }: RunWork, error: unknown): Promise<RunEnd> {
  if (error instanceof Unavailable) {
    // It counts against nobody. Where the database is what went away, the lease ends by itself.
    await interruptRun(ports.db, run).catch(() => undefined);
    throw error;
  }
  if (error instanceof LeaseLost) throw error;
  const redact = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
  const fault =
    error instanceof FeedFault
      ? error
      : new FeedFault('internal', 'Something went wrong on our side.', { cause: error });
  const { reason, message, cause } = fault;
  if (/^(?:internal|reader_)/.test(reason)) {
    const text = cause instanceof Error ? (cause.stack ?? cause.message) : message;
    const bug = { level: 'error', event: 'feed_run_broke', run: run.runId };
    ports.log.write({ ...bug, error: redact(text).slice(0, 4_000) });
  }
  return { status: 'failed', error: { ...toFeedError(fault), message: redact(message) } };
}
