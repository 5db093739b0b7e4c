import { LockTimeout, WriteConflict } from '../../outside/faults.ts';
import { settleAll } from '../../outside/settle-all.ts';
import type { ReadRow } from '../feed-file.ts';
import { countPart } from '../queries/count-part.ts';
import { countRows, type IngestedRow, ingestRows, listHashes, listMembers } from '../row-results.ts';
import type { ClaimedRun, RunWork } from './claimed-run.ts';

/** A run keeps so many issues at most: a file that is wrong in every row says it in the first thousands. */
const MAX_ISSUES = 10_000;

/**
 * Writes the rows of a part. Its listings, their hashes, its rejects, the counters and the number of the next part commit
 * together: a worker that dies before has done nothing, one that dies after has done it once.
 */
export async function ingestPart(
  { ports, run }: RunWork,
  part: { no: number; digest: string },
  slices: readonly ReadRow[][],
) {
  const { accountId, observedAt, feedId } = run;
  const rejected = Object.values(run.rejectsByCode).reduce((sum, count) => sum + count, 0);
  const source = { id: feedId, runNo: run.no, keepsIssues: rejected < MAX_ISSUES };
  const sourceProviderId = run.feed.source_provider_id;
  const input = { sourceProviderId, observedAt, feedId, source, dryRun: false };
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
      const progress = summarizePart(run, part, ingested.flat());
      if (lanes > 1 && isRepeated(ingested)) throw new WriteConflict();
      await countPart(db, run, progress);
      return progress;
    }, 'job');
  const { codes, state } = await commit(true).catch((error: unknown) => {
    if (!(error instanceof WriteConflict || error instanceof LockTimeout)) throw error;
    // Another writer or two slices change the same trucks: once more in the order of the rows, with the trucks locked.
    return commit(false);
  });
  Object.assign(run, { rejectsByCode: codes, state });
}

function summarizePart(
  { state, rejectsByCode }: ClaimedRun,
  { no, digest }: { no: number; digest: string },
  rows: readonly IngestedRow[],
) {
  const { counts, ...rest } = countRows(rows, rejectsByCode);
  const isAccepted = rows.every(({ hash, isOwn, reject }) => hash !== null && isOwn && reject === null);
  const hasRetryableRejects =
    state.hasRetryableRejects || rows.some((row) => row.reject !== null && row.retryable);
  return {
    ...counts,
    ...rest,
    part: no,
    digest: isAccepted ? digest : null,
    // A truck that is in the file is not gone, whatever is wrong with it.
    hashes: listMembers(rows),
    state: { ...state, part: no + 1, hasRetryableRejects },
  };
}

/** Whether two slices have a truck that one of them lists. */
function isRepeated(slices: readonly (readonly IngestedRow[])[]) {
  const listed = new Set(slices.flat().flatMap(({ hash, reject }) => (reject === null ? (hash ?? []) : [])));
  return slices.flatMap(listHashes).filter((hash) => listed.has(hash)).length > listed.size;
}
