import type { FeedPlan } from '../../../domain/feed/feed-mapping.ts';
import type { DecidedBatch } from '../../../pipeline/pipeline.ts';
import type { RawRecord } from '../../../pipeline/stage.ts';
import type { FeedRow, Part } from '../../../ports/feeds/feed-files.ts';
import type { FeedRunState } from '../../../ports/feeds/feed-runs.ts';
import type { RecordSource } from '../../../ports/issues/issues.ts';
import { decideFor, type Ingest } from '../../inventory/ingest-listings.ts';
import { toPartKey } from '../raw-files.ts';
import type { ReadRow } from '../row-rejects.ts';
import { readPlan } from './feed-plan.ts';
import { feedRecords, pairTruckRows } from './feed-records.ts';
import type { Session } from './feed-session.ts';
import { fileLost, locateParts } from './split-file.ts';

/** A part whose rows have become records, some hundred at a time: the pipeline's batches. */
export interface PreparedPart {
  part: Part;
  plan: FeedPlan;
  slices: PreparedSlice[];
}

export interface PreparedSlice {
  rows: ReadRow[];
  /** Those of the rows without a fault, in order. */
  records: RawRecord[];
  /** Null: it has trucks of rows before, which have to be written before they are read. */
  batch: DecidedBatch | null;
}

/**
 * Maps the rows of parts to records and decides what to write, each part while the one before it is written; the first rows
 * decide how rows are mapped unless an earlier worker did.
 */
export async function* prepareParts(
  session: Session,
  state: FeedRunState,
  columns: readonly string[] | null,
  parts: readonly Part[],
): AsyncGenerator<PreparedPart> {
  const { objects, raw } = await locateParts(session);
  let { plan } = state;
  let before: ReadonlySet<string> = new Set();
  for (const part of parts) {
    const bytes = await objects.open(toPartKey(raw, part.no));
    if (bytes === null) throw fileLost();
    const rows = await session.ports.feedFiles.rows(bytes);
    plan ??= readPlan(session.run.feed, columns, rows[0] ?? []);
    const seen = new Set<string>();
    const slices: PreparedSlice[] = [];
    for (const some of rows) slices.push(await prepareSlice(session, state, plan, some, [before, seen]));
    before = seen;
    yield { part, plan, slices };
  }
}

/** `seen`: hashes of rows that are not written yet; those of the slice are added to the last of them. */
async function prepareSlice(
  session: Session,
  state: FeedRunState,
  plan: FeedPlan,
  rows: readonly FeedRow[],
  seen: [ReadonlySet<string>, Set<string>],
): Promise<PreparedSlice> {
  const { ports, run } = session;
  const read = pairTruckRows(rows, await feedRecords(ports, rows, plan), plan);
  const records = read.filter(({ row }) => row.fault === null).map(({ record }) => record);
  const batch = await decideFor(ports, run.accountId, ingestInput(session, state, records));
  const isStale = batch.dedupHashes.some((hash) => seen.some((hashes) => hashes.has(hash)));
  for (const hash of batch.dedupHashes) seen[1].add(hash);
  return { rows: read, records, batch: isStale ? null : batch };
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
