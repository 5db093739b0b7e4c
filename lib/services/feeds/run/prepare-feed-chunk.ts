import type { FeedPlan } from '../../../domain/feed/feed-mapping.ts';
import type { DecidedBatch } from '../../../pipeline/pipeline.ts';
import type { RawRecord } from '../../../pipeline/stage.ts';
import type { FeedChunk } from '../../../ports/feeds/feed-files.ts';
import type { FeedRunState } from '../../../ports/feeds/feed-runs.ts';
import type { RecordSource } from '../../../ports/issues/issues.ts';
import { decideFor, type Ingest } from '../../inventory/ingest-listings.ts';
import type { ReadRow } from '../row-rejects.ts';
import { readPlan } from './feed-plan.ts';
import { feedRecords, pairTruckRows } from './feed-records.ts';
import type { Session } from './feed-session.ts';

/** A chunk whose rows have become records, and as a rule been decided. */
export interface PreparedChunk {
  plan: FeedPlan;
  position: FeedChunk['position'];
  rows: ReadRow[];
  /** Those of the rows without a fault, in order. */
  records: RawRecord[];
  /** Null: it has trucks of the chunk before, which have to be written before they are read. */
  batch: DecidedBatch | null;
}

/**
 * Maps the rows of a file to records and decides what to write, chunk by chunk, each while the one before it is
 * written; the first chunk decides how rows are mapped unless an earlier worker did.
 */
export async function* prepareFeedChunks(
  session: Session,
  state: FeedRunState,
  columns: readonly string[] | null,
  chunks: AsyncIterable<FeedChunk>,
): AsyncGenerator<PreparedChunk> {
  const { ports, run } = session;
  let { plan } = state;
  let previous: ReadonlySet<string> = new Set();
  for await (const { rows, position } of chunks) {
    plan ??= readPlan(run.feed, columns, rows);
    const mapped = await feedRecords(ports, rows, plan);
    const read = pairTruckRows(rows, mapped, plan);
    const records = read.filter(({ row }) => row.fault === null).map(({ record }) => record);
    const batch = await decideFor(ports, run.accountId, ingestInput(session, state, records));
    const isStale = batch.dedupHashes.some((hash) => previous.has(hash));
    previous = new Set(batch.dedupHashes);
    yield { plan, position, rows: read, records, batch: isStale ? null : batch };
  }
}

export function ingestInput(
  { run }: Session,
  { sourceProviderId }: FeedRunState,
  records: readonly RawRecord[],
): Ingest {
  const { observedAt, feedId } = run;
  return { records, sourceProviderId, observedAt, feedId, source: toSource(run), dryRun: false };
}

/** A run keeps so many issues at most: a file that is wrong in every row says it in the first thousands. */
const MAX_ISSUES = 10_000;

export function toSource({ feedId, no, rejectsByCode }: Session['run']): RecordSource {
  const rejected = Object.values(rejectsByCode).reduce((sum, count) => sum + count, 0);
  return { id: feedId, runNo: no, keepsIssues: rejected < MAX_ISSUES };
}
