import { hash } from 'node:crypto';
import type { DecidedBatch } from '../../pipeline/pipeline.ts';
import { RULES_VERSION } from '../../pipeline/rules-version.ts';
import type { RawRecord } from '../../pipeline/stage.ts';
import type { FeedRow, Part } from '../../ports/feeds/feed-files.ts';
import type { RecordSource } from '../../ports/issues/issues.ts';
import { decideFor, type Ingest } from '../../services/inventory/ingest-listings.ts';
import type { FeedPlan } from '../mapping/feed-mapping.ts';
import { readPlan } from '../mapping/feed-plan.ts';
import { feedRecords, pairTruckRows } from '../mapping/feed-records.ts';
import { readKnownParts } from '../queries/count-part.ts';
import { toPartKey } from '../raw-files.ts';
import type { ReadRow } from '../row-rejects.ts';
import { requireState, type Session } from './session.ts';
import { fileLost, locateParts } from './split-file.ts';

/** A part whose rows have become records, some hundred at a time: the pipeline's batches. */
export interface PreparedPart {
  part: Part;
  plan: FeedPlan;
  digest: string;
  slices: PreparedSlice[];
}

/** A part that was the same when it was applied last: decided only if something else has changed its trucks. */
export interface KnownPart extends Pick<PreparedPart, 'part' | 'plan' | 'digest'> {
  decide(): Promise<PreparedPart>;
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
  columns: readonly string[] | null,
  parts: readonly Part[],
): AsyncGenerator<PreparedPart | KnownPart> {
  const { run, ports } = session;
  const known = await readKnownParts(ports.db, run);
  const { sourceProviderId } = requireState(run);
  let { plan } = requireState(run);
  let before: ReadonlySet<string> = new Set();
  for (const part of parts) {
    plan ??= readPlan(run.feed, columns, (await readPart(session, part))[0] ?? []);
    const head = { part, plan, digest: toDigest(sourceProviderId, plan, part) };
    const seen = new Set<string>();
    const decide = (earlier: ReadonlySet<string>) => preparePart(session, head, [earlier, seen]);
    yield known.get(part.no) === head.digest
      ? { ...head, decide: () => decide(new Set()) }
      : await decide(before);
    before = seen;
  }
}

/** Of its rows and how they are read. */
function toDigest(sourceProviderId: string | null, plan: FeedPlan, { sha256 }: Part): string {
  return hash('sha256', JSON.stringify([RULES_VERSION, sourceProviderId, plan, sha256]));
}

async function preparePart(
  session: Session,
  head: Pick<PreparedPart, 'part' | 'plan' | 'digest'>,
  seen: [ReadonlySet<string>, Set<string>],
): Promise<PreparedPart> {
  const slices: PreparedSlice[] = [];
  for (const rows of await readPart(session, head.part))
    slices.push(await prepareSlice(session, head.plan, rows, seen));
  return { ...head, slices };
}

async function readPart(session: Session, part: Part): Promise<FeedRow[][]> {
  const { objects, raw } = await locateParts(session);
  const bytes = await objects.open(toPartKey(raw, part.no));
  if (bytes === null) throw fileLost();
  return session.ports.feedFiles.rows(bytes);
}

/** `seen`: hashes of rows that are not written yet; those of the slice are added to the last of them. */
async function prepareSlice(
  session: Session,
  plan: FeedPlan,
  rows: readonly FeedRow[],
  seen: [ReadonlySet<string>, Set<string>],
): Promise<PreparedSlice> {
  const { ports, run } = session;
  const read = pairTruckRows(rows, await feedRecords(ports, rows, plan), plan);
  const records = read.filter(({ row }) => row.fault === null).map(({ record }) => record);
  const batch = await decideFor(ports, run.accountId, ingestInput(session, records));
  const isStale = batch.dedupHashes.some((dedupHash) => seen.some((hashes) => hashes.has(dedupHash)));
  for (const dedupHash of batch.dedupHashes) seen[1].add(dedupHash);
  return { rows: read, records, batch: isStale ? null : batch };
}

export function ingestInput({ run }: Session, records: readonly RawRecord[]): Ingest {
  const { sourceProviderId } = requireState(run);
  const { observedAt, feedId } = run;
  return { records, sourceProviderId, observedAt, feedId, source: toSource(run), dryRun: false };
}

/** A run keeps so many issues at most: a file that is wrong in every row says it in the first thousands. */
const MAX_ISSUES = 10_000;

export function toSource({ feedId, no, rejectsByCode }: Session['run']): RecordSource {
  const rejected = Object.values(rejectsByCode).reduce((sum, count) => sum + count, 0);
  return { id: feedId, runNo: no, keepsIssues: rejected < MAX_ISSUES };
}
