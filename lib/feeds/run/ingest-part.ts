import { readProvider, readRecord } from '../../domain/listing/read-record.ts';
import { hasVinLength } from '../../domain/vin/vin.ts';
import { computeDedupHash } from '../../pipeline/deduplicate.ts';
import { writeBatch } from '../../pipeline/pipeline.ts';
import type { RecordResult } from '../../pipeline/results.ts';
import type { RawRecord } from '../../pipeline/stage.ts';
import { LockTimeout, WriteConflict } from '../../ports/faults.ts';
import type { FeedProgress } from '../../ports/feeds/feed-runs.ts';
import type { FeedReject } from '../../ports/feeds/feeds.ts';
import type { StorePorts } from '../../ports/store.ts';
import { decideFor, ingestFor } from '../../services/inventory/ingest-listings.ts';
import { countPart } from '../queries/count-part.ts';
import { openFaultIssues, type ReadRow, toFaultReject, toReject } from '../row-rejects.ts';
import { ingestInput, type PreparedPart, type PreparedSlice, toSource } from './prepare-parts.ts';
import { LeaseLost, requireState, type Session } from './session.ts';

/**
 * Writes a prepared part. Its listings, their hashes, its rejects, the counters and the number of the next part commit
 * together: a worker that dies before has done nothing, one that dies after has done it once.
 */
export async function ingestPart(
  session: Session,
  { part, plan, digest, slices }: PreparedPart,
): Promise<void> {
  const { ports, run } = session;
  const state = requireState(run);
  const rows = slices.flatMap((slice) => slice.rows);
  const commit = (optimistic: boolean) =>
    ports.store.transaction(async (bound) => {
      const results: RecordResult[] = [];
      for (const slice of slices) results.push(...(await ingestRecords(session, bound, slice, optimistic)));
      await openFaultIssues(bound.listings.of(run.accountId), rows, toSource(run), state.sourceProviderId);
      const { isAccepted, ...summary } = summarizePart(session, rows, results);
      const hasRetryableRejects = state.hasRetryableRejects || results.some(isRetryable);
      const next = { ...state, plan, part: part.no + 1, hasRetryableRejects };
      const progress = { part: part.no, digest: isAccepted ? digest : null, ...summary, state: next };
      if (!(await countPart(bound.db, run, progress))) throw new LeaseLost();
      return { next, rejectsByCode: summary.rejectsByCode };
    }, 'job');
  const { next, rejectsByCode } = await commit(true).catch((error: unknown) => {
    if (!(error instanceof WriteConflict || error instanceof LockTimeout)) throw error;
    // Another writer changes the same trucks: once more, with their rows locked.
    return commit(false);
  });
  run.state = next;
  run.rejectsByCode = rejectsByCode;
}

/** Optimistic: as decided beforehand, and `WriteConflict` when that is out of date; otherwise with the rows locked. */
async function ingestRecords(
  session: Session,
  bound: StorePorts,
  { batch, records }: PreparedSlice,
  optimistic: boolean,
): Promise<RecordResult[]> {
  const listings = optimistic ? bound.listings.optimistic() : bound.listings;
  const ports = { ...session.ports, ...bound, listings };
  const { accountId } = session.run;
  const input = ingestInput(session, records);
  if (!optimistic) return ingestFor(ports, accountId, input);
  const needs = { listings: listings.of(accountId), source: toSource(session.run), dryRun: false };
  return writeBatch(batch ?? (await decideFor(ports, accountId, input)), needs);
}

const isRetryable = (result: RecordResult) => result.kind === 'rejected' && result.reject.retryable;

function summarizePart(
  { run }: Session,
  rows: readonly ReadRow[],
  results: readonly RecordResult[],
): Omit<FeedProgress, 'part' | 'digest' | 'state'> & { isAccepted: boolean } {
  const { sourceProviderId } = requireState(run);
  const counts = { rows: rows.length, created: 0, merged: 0, unchanged: 0, rejected: 0 };
  const hashes = new Set<string>();
  const rejects: FeedReject[] = [];
  const rejectsByCode = { ...run.rejectsByCode };
  let next = 0;
  let accepted = 0;
  for (const { row, record } of rows) {
    const result = row.fault === null ? results[next++] : undefined;
    if (result?.kind === 'accepted') {
      counts[result.outcome] += 1;
      hashes.add(result.dedupHash);
      accepted += 1;
      continue;
    }
    if (result?.kind === 'not_found') {
      counts.unchanged += 1;
      continue;
    }
    counts.rejected += 1;
    const hash = presentHash(record, sourceProviderId);
    if (hash !== null) hashes.add(hash);
    const reject = result?.kind === 'rejected' ? toReject(row, result) : toFaultReject(row, record);
    rejects.push(reject);
    rejectsByCode[reject.code] = (rejectsByCode[reject.code] ?? 0) + 1;
  }
  const isAccepted = accepted === rows.length;
  return { isAccepted, hashes: [...hashes], counts, rejects, rejectsByCode };
}

/** Which listing a rejected record is about: a truck that is in the file is not gone, whatever is wrong with it. */
function presentHash(record: RawRecord, provider: string | null): string | null {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return null;
  const { vin, sourceProviderId } = readRecord(record);
  if (vin === null || !hasVinLength(vin)) return null;
  return computeDedupHash(vin, sourceProviderId ?? readProvider(provider, []) ?? '');
}
