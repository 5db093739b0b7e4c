import { LockTimeout, WriteConflict } from '../../outside/faults.ts';
import { settleAll } from '../../outside/settle-all.ts';
import { identifyRecord } from '../../pipeline/batch/identify-record.ts';
import type { RecordSource } from '../../pipeline/batch/stored-listings.ts';
import type { FeedReject } from '../feed.ts';
import type { ReadRow } from '../feed-file.ts';
import { countPart } from '../queries/count-part.ts';
import { type IngestedRow, ingestRows } from '../row-results.ts';
import type { ReadPart } from './read-parts.ts';
import { LeaseLost, requireState, type Session } from './session.ts';

/**
 * Writes the rows of a part. Its listings, their hashes, its rejects, the counters and the number of the next part commit
 * together: a worker that dies before has done nothing, one that dies after has done it once.
 */
export async function ingestPart(
  session: Session,
  { part, digest }: ReadPart,
  slices: readonly ReadRow[][],
): Promise<void> {
  const { ports, run } = session;
  const state = requireState(run);
  const { accountId, observedAt, feedId } = run;
  const sourceProviderId = run.feed.source_provider_id;
  const input = { sourceProviderId, observedAt, feedId, source: toSource(run), dryRun: false };
  const commit = (isOptimistic: boolean) =>
    ports.db.transaction(async (db) => {
      const ingested: IngestedRow[][] = [];
      const ingestFrom = async (first: number) => {
        for (let at = first; at < slices.length; at += lanes)
          ingested[at] = await ingestRows({ ...ports, db, isOptimistic }, accountId, slices[at] ?? [], input);
      };
      // While a slice is written, another is decided; locks allow one at a time.
      const lanes = isOptimistic ? 2 : 1;
      await settleAll(Array.from({ length: lanes }, (_, lane) => ingestFrom(lane)));
      const rows = ingested.flat();
      const summary = summarizePart(run, rows);
      const isAccepted = rows.every(({ result }) => result.kind === 'accepted');
      const mayFareBetter = rows.some(({ result }) => result.kind === 'rejected' && result.retryable);
      const hasRetryableRejects = state.hasRetryableRejects || mayFareBetter;
      const next = { ...state, part: part.no + 1, hasRetryableRejects };
      const progress = { part: part.no, digest: isAccepted ? digest : null, ...summary, state: next };
      // What one upload had is nothing to compare the next with.
      if (run.isUpload) Object.assign(progress, { digest: null, hashes: [] });
      if (!(await countPart(db, run, progress))) throw new LeaseLost();
      return { state: next, rejectsByCode: summary.rejectsByCode };
    }, 'job');
  const written = await commit(true).catch((error: unknown) => {
    if (!(error instanceof WriteConflict || error instanceof LockTimeout)) throw error;
    // Another writer changes the same trucks: once more, with their rows locked.
    return commit(false);
  });
  Object.assign(run, written);
}

/** A run keeps so many issues at most: a file that is wrong in every row says it in the first thousands. */
const MAX_ISSUES = 10_000;

function toSource({ feedId, no, rejectsByCode }: Session['run']): RecordSource {
  const rejected = Object.values(rejectsByCode).reduce((sum, count) => sum + count, 0);
  return { id: feedId, runNo: no, keepsIssues: rejected < MAX_ISSUES };
}

function summarizePart({ feed, rejectsByCode: before }: Session['run'], rows: readonly IngestedRow[]) {
  const counts = { rows: rows.length, created: 0, merged: 0, unchanged: 0, rejected: 0 };
  const hashes = new Set<string>();
  const rejects: FeedReject[] = [];
  const rejectsByCode = { ...before };
  for (const { record, result } of rows) {
    if (result.kind === 'accepted') {
      counts[result.outcome] += 1;
      hashes.add(result.dedupHash);
    } else if (result.kind === 'not_found') counts.unchanged += 1;
    else {
      const { code } = result.reject;
      counts.rejected += 1;
      rejects.push(result.reject);
      rejectsByCode[code] = (rejectsByCode[code] ?? 0) + 1;
      // A truck that is in the file is not gone, whatever is wrong with it.
      const { hasWholeVin, subject } = identifyRecord(record, feed.source_provider_id);
      if (hasWholeVin) hashes.add(subject);
    }
  }
  return { counts, hashes: [...hashes], rejects, rejectsByCode };
}
