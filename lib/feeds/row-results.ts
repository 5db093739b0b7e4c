import { identifyRecord } from '../pipeline/batch/identify-record.ts';
import type { RecordResult } from '../pipeline/results.ts';
import { vinAsSent } from '../pipeline/vin-as-sent.ts';
import { type Ingest, type IngestPorts, ingestFor } from '../services/inventory/ingest-listings.ts';
import type { FeedReject } from './feed.ts';
import { FEED_ROW_FAULTS } from './feed-faults.ts';
import type { ReadRow } from './mapping/feed-records.ts';

/** What becomes of the rows of a file, be it a feed's or an upload. */

interface RejectedRow {
  kind: 'rejected';
  /** By its first fault. */
  reject: FeedReject;
  /** What else is wrong with it. */
  further: Pick<FeedReject, 'field' | 'fix'>[];
  /** It may fare better next time. */
  retryable: boolean;
}

export type IngestedRow = ReadRow & { result: Exclude<RecordResult, { kind: 'rejected' }> | RejectedRow };

/** Runs rows through the pipeline: a result per row, in order. Those that never became records open their issues here. */
export async function ingestRows(
  ports: IngestPorts,
  accountId: string,
  rows: readonly ReadRow[],
  input: Omit<Ingest, 'records' | 'sourceProviderId'> & { sourceProviderId: string | null },
): Promise<IngestedRow[]> {
  const records = rows.flatMap(({ row, record }) => (row.fault === null ? [record] : []));
  const results = (await ingestFor(ports, accountId, { ...input, records })).values();
  await openFaultIssues(ports, accountId, rows, input);
  return rows.map((read) => {
    const result = read.row.fault === null ? results.next().value : undefined;
    if (result === undefined) return { ...read, result: toFaulty(read) };
    return { ...read, result: result.kind === 'rejected' ? toRejected(read, result) : result };
  });
}

function toRejected(
  { row: { line } }: ReadRow,
  { vin, reject }: Extract<RecordResult, { kind: 'rejected' }>,
): RejectedRow {
  const { code, message, violations, retryable } = reject;
  const [first, ...others] = violations;
  const { field = null, received = null, fix = message } = first ?? {};
  const further = others.map(({ field, fix }) => ({ field, fix }));
  return { kind: 'rejected', reject: { line, vin, code, field, received, fix }, further, retryable };
}

function toFaulty({ row: { line, fault }, record }: ReadRow): RejectedRow {
  const { code, message } = fault ?? { code: 'ROW_UNREADABLE' as const, message: '' };
  const fix = [message, FEED_ROW_FAULTS[code]].filter(Boolean).join(' ');
  const reject = { line, vin: vinAsSent(record), code, field: null, received: null, fix };
  return { kind: 'rejected', reject, further: [], retryable: false };
}

/** One per truck. */
async function openFaultIssues(
  { listings }: IngestPorts,
  accountId: string,
  rows: readonly ReadRow[],
  { source, sourceProviderId }: Parameters<typeof ingestRows>[3],
): Promise<void> {
  const faulty = rows.filter(({ row }) => row.fault !== null);
  if (faulty.length === 0 || !source?.keepsIssues) return;
  const open = new Map(
    faulty.map((read) => {
      const identity = identifyRecord(read.record ?? { line: read.row.line }, sourceProviderId);
      return [identity.subject, { ...toFaulty(read).reject, ...identity }];
    }),
  );
  await listings.of(accountId).write([], { source, issues: { open: [...open.values()], close: [] } });
}
