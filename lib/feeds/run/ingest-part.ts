import { readProvider, readRecord } from '../../domain/listing/read-record.ts';
import { hasVinLength } from '../../domain/vin/vin.ts';
import { computeDedupHash } from '../../pipeline/deduplicate.ts';
import { LockTimeout, WriteConflict } from '../../ports/faults.ts';
import type { RecordSource } from '../../ports/issues/issues.ts';
import { type FeedReject, UPLOAD_FEED } from '../feed.ts';
import type { FeedRecord } from '../mapping/feed-record.ts';
import type { ReadRow } from '../mapping/feed-records.ts';
import { countPart } from '../queries/count-part.ts';
import { type IngestedRow, ingestRows } from '../row-results.ts';
import type { FeedProgress } from './claimed-run.ts';
import type { ReadPart } from './read-parts.ts';
import { LeaseLost, requireState, type Session } from './session.ts';

/**
 * Writes the rows of a part. Its listings, their hashes, its rejects, the counters and the number of the next part commit
 * together: a worker that dies before has done nothing, one that dies after has done it once.
 */
export async function ingestPart(
  session: Session,
  { part, plan, digest }: ReadPart,
  slices: readonly ReadRow[][],
): Promise<void> {
  const { ports, run } = session;
  const state = requireState(run);
  const { sourceProviderId } = state;
  const { accountId, observedAt, feedId } = run;
  const input = { sourceProviderId, observedAt, feedId, source: toSource(run), dryRun: false };
  const commit = (isOptimistic: boolean) =>
    ports.store.transaction(async (bound) => {
      const listings = isOptimistic ? bound.listings.optimistic() : bound.listings;
      const rows: IngestedRow[] = [];
      for (const slice of slices)
        rows.push(...(await ingestRows({ ...ports, ...bound, listings }, accountId, slice, input)));
      const { isAccepted, mayFareBetter, ...summary } = summarizePart(session, rows);
      const hasRetryableRejects = state.hasRetryableRejects || mayFareBetter;
      const next = { ...state, plan, part: part.no + 1, hasRetryableRejects };
      const progress = { part: part.no, digest: isAccepted ? digest : null, ...summary, state: next };
      // What one upload had is nothing to compare the next with.
      if (feedId === UPLOAD_FEED) Object.assign(progress, { digest: null, hashes: [] });
      if (!(await countPart(bound.db, run, progress))) throw new LeaseLost();
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

interface PartSummary extends Omit<FeedProgress, 'part' | 'digest' | 'state'> {
  isAccepted: boolean;
  mayFareBetter: boolean;
}

function summarizePart({ run }: Session, rows: readonly IngestedRow[]): PartSummary {
  const { sourceProviderId } = requireState(run);
  const counts = { rows: rows.length, created: 0, merged: 0, unchanged: 0, rejected: 0 };
  const hashes = new Set<string>();
  const rejects: FeedReject[] = [];
  const rejectsByCode = { ...run.rejectsByCode };
  for (const { record, result } of rows) {
    if (result.kind === 'accepted') {
      counts[result.outcome] += 1;
      hashes.add(result.dedupHash);
    } else if (result.kind === 'not_found') counts.unchanged += 1;
    else {
      const { reject } = result;
      counts.rejected += 1;
      rejects.push(reject);
      rejectsByCode[reject.code] = (rejectsByCode[reject.code] ?? 0) + 1;
      const hash = presentHash(record, sourceProviderId);
      if (hash !== null) hashes.add(hash);
    }
  }
  return {
    counts,
    hashes: [...hashes],
    rejects,
    rejectsByCode,
    isAccepted: rows.every(({ result }) => result.kind === 'accepted'),
    mayFareBetter: rows.some(({ result }) => result.kind === 'rejected' && result.retryable),
  };
}

/** Which listing a rejected record is about: a truck that is in the file is not gone, whatever is wrong with it. */
function presentHash(record: FeedRecord | null, provider: string | null): string | null {
  if (record === null) return null;
  const { vin, sourceProviderId } = readRecord(record);
  if (vin === null || !hasVinLength(vin)) return null;
  return computeDedupHash(vin, sourceProviderId ?? readProvider(provider, []) ?? '');
}
