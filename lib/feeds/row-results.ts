import { type Ingest, type IngestPorts, ingestFor } from '../inventory/ingest-listings.ts';
import { writeIssues } from '../issues/queries.ts';
import { identifyRecord } from '../pipeline/batch/identify-record.ts';
import type { RecordResult } from '../pipeline/stage.ts';
import { vinAsSent } from '../pipeline/vin-as-sent.ts';
import type { FeedReject } from './feed.ts';
import { FEED_ROW_FAULTS } from './feed-faults.ts';
import type { ReadRow } from './feed-file.ts';

/** A row with what became of it; `retryable`: it may fare better next time. */
export type IngestedRow = ReadRow & {
  result:
    | Exclude<RecordResult, { kind: 'rejected' }>
    | { kind: 'rejected'; reject: FeedReject; retryable: boolean };
};

/** Runs rows through the pipeline: a result per row, in order. Those that never became records open their issues here. */
export async function ingestRows(
  ports: IngestPorts,
  accountId: string,
  rows: readonly ReadRow[],
  input: Omit<Ingest, 'records'>,
) {
  const records = rows.flatMap(({ fault, record }) => (fault === null ? [record] : []));
  const results = (await ingestFor(ports, accountId, { ...input, records })).values();
  const ingested = rows.map((read) => {
    if (read.fault !== null) return { ...read, result: toFaulty(read, read.fault) };
    const result = results.next().value;
    if (!result) throw new Error('the pipeline returned no result');
    return { ...read, result: result.kind === 'rejected' ? toRejected(read, result) : result };
  });
  const { source, sourceProviderId } = input;
  // One per truck.
  const open = new Map(
    ingested.flatMap(({ line, fault, record, result }) => {
      if (fault === null || result.kind !== 'rejected') return [];
      const identity = identifyRecord(record ?? { line }, sourceProviderId);
      return [[identity.subject, { ...result.reject, ...identity }]];
    }),
  );
  if (open.size > 0 && source?.keepsIssues)
    await writeIssues(ports.db, accountId, { open: [...open.values()], close: [] }, source);
  return ingested;
}

/** By what the pipeline found first. */
function toRejected({ line }: ReadRow, { vin, reject }: Extract<RecordResult, { kind: 'rejected' }>) {
  const { code, message, violations, retryable } = reject;
  const { field = null, received = null, fix = message } = violations[0] ?? {};
  return { kind: 'rejected' as const, reject: { line, vin, code, field, received, fix }, retryable };
}

function toFaulty({ line, record }: ReadRow, { code, message }: NonNullable<ReadRow['fault']>) {
  const fix = `${message} ${FEED_ROW_FAULTS[code]}`;
  const reject = { line, vin: vinAsSent(record), code, field: null, received: null, fix };
  return { kind: 'rejected' as const, reject, retryable: false };
}
