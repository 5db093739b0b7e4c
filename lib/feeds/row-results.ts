import { type Ingest, type IngestPorts, ingestFor } from '../inventory/ingest-listings.ts';
import { writeIssues } from '../issues/write-issues.ts';
import { identifyRecord } from '../pipeline/batch/identify-record.ts';
import { vinAsSent } from '../pipeline/results.ts';
import type { RecordResult } from '../pipeline/stage.ts';
import { FEED_ROW_FAULTS } from './feed-faults.ts';
import type { ReadRow } from './feed-file.ts';

/** What became of a row; `hash`: the truck that it is about, whatever is wrong with it; null: none. */
export type IngestedRow = Awaited<ReturnType<typeof ingestRows>>[number];

/** Runs rows through the pipeline: a result per row, in order. Those that never became records open their issues here. */
export async function ingestRows(
  ports: IngestPorts,
  accountId: string,
  rows: readonly ReadRow[],
  input: Omit<Ingest, 'records'>,
) {
  const { source, sourceProviderId } = input;
  const records = rows.flatMap(({ fault, record }) => (fault === null ? [record] : []));
  const results = (await ingestFor(ports, accountId, { ...input, records })).values();
  const unread = new Map<string, ReturnType<typeof identifyRecord> & ReturnType<typeof toFaulty>['reject']>();
  const ingested = rows.map((row) => {
    const { line, fault, record } = row;
    const result = fault === null ? results.next().value : null;
    if (result && result.kind !== 'rejected') return toListed(line, result);
    const identity = identifyRecord(record ?? { line }, sourceProviderId);
    const hash = identity.hasWholeVin ? identity.subject : null;
    if (result) return { hash, ...toRejected(line, result) };
    if (fault === null) throw new Error('the pipeline returned no result');
    const faulty = toFaulty(row, fault);
    // One per truck.
    unread.set(identity.subject, { ...faulty.reject, ...identity });
    return { hash, ...faulty };
  });
  if (unread.size > 0 && source?.keepsIssues)
    await writeIssues(ports.db, accountId, { open: [...unread.values()], close: [] }, source);
  return ingested;
}

/** A row of a sold truck that is not listed changes nothing. */
function toListed(line: number, result: Exclude<RecordResult, { kind: 'rejected' }>) {
  const { vin } = result;
  return result.kind === 'accepted'
    ? { line, vin, outcome: result.outcome, warnings: result.warnings, hash: result.dedupHash, reject: null }
    : { line, vin, outcome: 'unchanged' as const, warnings: [], hash: null, reject: null };
}

/** By what the pipeline found first. */
function toRejected(line: number, { vin, reject }: Extract<RecordResult, { kind: 'rejected' }>) {
  const { code, message, violations, retryable } = reject;
  const { field = null, received = null, fix = message } = violations[0] ?? {};
  return { reject: { line, vin, code: code as string, field, received, fix }, retryable };
}

function toFaulty({ line, record }: ReadRow, { code, message }: NonNullable<ReadRow['fault']>) {
  const fix = `${message} ${FEED_ROW_FAULTS[code]}`;
  const reject = { line, vin: vinAsSent(record), code, field: null, received: null, fix };
  return { reject, retryable: false };
}
