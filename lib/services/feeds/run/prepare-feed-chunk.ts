import { hash } from 'node:crypto';
import type { FeedPlan } from '../../../domain/feed/feed-mapping.ts';
import type { DecidedBatch } from '../../../pipeline/pipeline.ts';
import { RULES_VERSION } from '../../../pipeline/rules-version.ts';
import type { RawRecord } from '../../../pipeline/stage.ts';
import type { FeedChunk, FeedRow } from '../../../ports/feeds/feed-files.ts';
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
  /** Of the rows and how they are read. */
  digest: string;
  rows: ReadRow[];
  /** Those of the rows without a fault, in order. */
  records: RawRecord[];
  /** Null: it has trucks of the chunk before, which have to be written before they are read. */
  batch: DecidedBatch | null;
}

/** A chunk that was the same when it was applied last: decided only if something else has changed its trucks. */
export interface KnownChunk extends Pick<PreparedChunk, 'plan' | 'position' | 'digest'> {
  decide(): Promise<PreparedChunk>;
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
): AsyncGenerator<PreparedChunk | KnownChunk> {
  const known = await session.ports.feedRuns.knownParts(session.run);
  let { plan, chunks: part } = state;
  let previous: readonly string[] = [];
  for await (const { rows, position } of chunks) {
    plan ??= readPlan(session.run.feed, columns, rows);
    part += 1;
    const read = { plan, position, digest: digestRows(plan, state, rows) };
    const decide = () => decideRows(session, state, read, rows);
    if (known.get(part) === read.digest) {
      previous = [];
      yield { ...read, decide };
      continue;
    }
    const chunk = await decide();
    const hashes = new Set(chunk.batch?.dedupHashes);
    yield previous.some((hash) => hashes.has(hash)) ? { ...chunk, batch: null } : chunk;
    previous = [...hashes];
  }
}

function digestRows(plan: FeedPlan, { sourceProviderId }: FeedRunState, rows: readonly FeedRow[]): string {
  return hash('sha256', JSON.stringify([RULES_VERSION, sourceProviderId, plan, rows]));
}

async function decideRows(
  session: Session,
  state: FeedRunState,
  read: Pick<PreparedChunk, 'plan' | 'position' | 'digest'>,
  rows: readonly FeedRow[],
): Promise<PreparedChunk> {
  const { ports, run } = session;
  const mapped = await feedRecords(ports, rows, read.plan);
  const paired = pairTruckRows(rows, mapped, read.plan);
  const records = paired.filter(({ row }) => row.fault === null).map(({ record }) => record);
  const batch = await decideFor(ports, run.accountId, ingestInput(session, state, records));
  return { ...read, rows: paired, records, batch };
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
