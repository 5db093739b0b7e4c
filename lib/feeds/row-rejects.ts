import { identifyRecord } from '../pipeline/batch/identify-record.ts';
import type { RecordResult } from '../pipeline/results.ts';
import type { RawRecord } from '../pipeline/stage.ts';
import { vinAsSent } from '../pipeline/vin-as-sent.ts';
import { FEED_ROW_FAULTS } from '../ports/feeds/feed-faults.ts';
import type { FeedRow } from '../ports/feeds/feed-files.ts';
import type { FeedReject } from '../ports/feeds/feeds.ts';
import type { RecordSource } from '../ports/issues/issues.ts';
import type { AccountListings } from '../ports/listings.ts';

/** What is wrong with a row of a file, be it a feed's or an upload. */

export interface ReadRow {
  row: FeedRow;
  record: RawRecord;
}

export function toReject(
  { line }: FeedRow,
  { vin, reject }: Extract<RecordResult, { kind: 'rejected' }>,
): FeedReject {
  const [first] = reject.violations;
  return {
    line,
    vin,
    code: reject.code,
    field: first?.field ?? null,
    received: first?.received ?? null,
    fix: first?.fix ?? reject.message,
  };
}

export function toFaultReject({ line, fault }: FeedRow, record: RawRecord): FeedReject {
  const { code, message } = fault ?? { code: 'ROW_UNREADABLE' as const, message: '' };
  const fix = [message, FEED_ROW_FAULTS[code]].filter(Boolean).join(' ');
  return { line, vin: vinAsSent(record), code, field: null, received: null, fix };
}

/** Rows that never became records open their issues apart from the pipeline, one per truck. */
export async function openFaultIssues(
  listings: Pick<AccountListings, 'write'>,
  rows: readonly ReadRow[],
  source: RecordSource,
  sourceProviderId: string | null,
): Promise<void> {
  const open = rows.flatMap(({ row, record }) => {
    if (row.fault === null) return [];
    const identity = identifyRecord(record ?? { line: row.line }, sourceProviderId);
    return [{ ...identity, ...toFaultReject(row, record), vin: identity.vin }];
  });
  if (open.length === 0 || !source.keepsIssues) return;
  const bySubject = new Map(open.map((issue) => [issue.subject, issue]));
  await listings.write([], { source, issues: { open: [...bySubject.values()], close: [] } });
}
