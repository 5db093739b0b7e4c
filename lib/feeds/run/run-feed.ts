import { Unavailable } from '../../outside/faults.ts';
import type { Ports } from '../../outside/ports.ts';
import { FeedFault, type FeedFaultReason, READER_FAULTS } from '../feed-faults.ts';
import { endRun } from '../queries/end-run.ts';
import { interruptRun } from '../queries/feed-runs.ts';
import { dropRaw } from '../raw-files.ts';
import type { ClaimedRun, FeedPhase } from './claimed-run.ts';
import { compareSnapshot } from './compare-snapshot.ts';
import { delistMissing } from './delist-missing.ts';
import { fetchFile } from './fetch-file.ts';
import { ingestParts } from './ingest-parts.ts';
import { LeaseLost, openSession, redactSecrets, type Session } from './session.ts';

/**
 * How a worker's part of a run ended; `yielded`: time was up, and it goes on, `interrupted`: a part of ours failed, and it
 * goes on later, `lost`: another worker has it.
 */
export type RunOutcome = 'succeeded' | 'unchanged' | 'held' | 'failed' | 'yielded' | 'interrupted' | 'lost';

/** Nobody reads the file of such a run any more. */
const HAS_ENDED: ReadonlySet<RunOutcome> = new Set<RunOutcome>(['succeeded', 'unchanged', 'held', 'failed']);

/** Of each phase what does its work, and answers which phase comes next or how the run ended. */
const STEPS: Record<FeedPhase, (session: Session) => Promise<FeedPhase | RunOutcome>> = {
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
 * on from there.
 */
export async function runFeed(ports: Ports, run: ClaimedRun, until: number): Promise<RunOutcome> {
  const session = openSession(ports, run, until);
  const started = ports.clock.now();
  let outcome: RunOutcome = 'lost';
  try {
    outcome = await takeSteps(session);
  } catch (error) {
    outcome = await endAfterThrow(session, error);
  } finally {
    if (HAS_ENDED.has(outcome) && run.sha256 !== null) await dropRaw(ports, [{ ...run, sha256: run.sha256 }]);
    await session.close();
    ports.log.write({
      level: outcome === 'failed' ? 'warn' : 'info',
      event: 'feed_run',
      account: run.accountId,
      feed: run.feedId,
      run: run.runId,
      outcome,
      ms: ports.clock.now() - started,
    });
  }
  return outcome;
}

async function takeSteps(session: Session): Promise<RunOutcome> {
  const { ports, run, phases } = session;
  if (run.claims > MAX_CLAIMS)
    throw new FeedFault(
      'given_up',
      `Reading the file was broken off ${MAX_CLAIMS} times in a row at the same place.`,
    );
  let next: FeedPhase | RunOutcome = run.phase;
  while (isPhase(next)) next = await STEPS[next](session);
  if (next === 'yielded') await session.assertLease(interruptRun(ports.db, run, phases));
  return next;
}

const isPhase = (next: FeedPhase | RunOutcome): next is FeedPhase => next in STEPS;

/** What a throw means for the run. */
async function endAfterThrow(session: Session, error: unknown): Promise<RunOutcome> {
  const { ports, run, phases } = session;
  if (error instanceof LeaseLost) return 'lost';
  try {
    if (error instanceof Unavailable)
      return (await interruptRun(ports.db, run, phases)) ? 'interrupted' : 'lost';
    const fault =
      error instanceof FeedFault ? error : new FeedFault('internal', 'Something went wrong on our side.');
    if (OUR_FAULTS.has(fault.reason)) ports.log.write(bugReport(session, error));
    const message = redactSecrets(session, fault.message);
    const failure = { reason: fault.reason, message, fix: fault.fix };
    if (!(await endRun(ports.db, run, 'failed', { phases, error: failure }))) return 'lost';
    return 'failed';
  } catch (again) {
    // The lease runs out by itself, and the next worker goes on.
    if (again instanceof Unavailable) return 'lost';
    throw again;
  }
}

/** What we hear of when it happens. */
const OUR_FAULTS: ReadonlySet<FeedFaultReason> = new Set<FeedFaultReason>(['internal', ...READER_FAULTS]);

function bugReport(session: Session, error: unknown) {
  const cause = error instanceof FeedFault ? (error.cause ?? error) : error;
  const stack = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  const text = redactSecrets(session, stack).slice(0, 4_000);
  return { level: 'error', event: 'feed_run_broke', run: session.run.runId, error: text };
}
