import type { Outcome, RawRecord, Reject, Rejected, Truck } from '../stage.ts';
import { identifyRecord } from './identify-record.ts';
import type { IssueChanges, NewIssue, ReadAnswer, RecordSource } from './stored-listings.ts';

interface Entry {
  record: RawRecord;
  /** Null: validate rejected the record. */
  truck: Truck | null;
  reject: Reject | null;
  issue: { of: Reject; issue: NewIssue } | null;
}

export interface LedgerNeeds {
  /** Who sent the records; absent: nobody whose issues are kept. */
  source?: RecordSource | undefined;
  /** Decide everything, store nothing. */
  dryRun: boolean;
  /** The batch's default, beside `records`. */
  sourceProviderId?: unknown;
  /** The only dealer that the records may be of; null or absent: any. */
  dealer?: string | null;
}

export type IssueLedger = NonNullable<ReturnType<typeof openLedger>>;

/**
 * Which issues a batch opens and closes; null where issues are left alone. Of several records of a truck the last
 * counts. What is planned goes along with the batch's write; whatever came out otherwise is planned again.
 */
export function openLedger(
  records: readonly RawRecord[],
  validated: readonly Outcome<Truck, Rejected>[],
  { source, dryRun, sourceProviderId, dealer = null }: LedgerNeeds,
) {
  if (!source?.keepsIssues || dryRun) return null;
  const entries = validated.map(
    (outcome, index): Entry => ({
      record: records[index],
      truck: outcome.kind === 'continue' ? outcome.item : null,
      reject: outcome.kind === 'rejected' ? outcome.reject : null,
      issue: null,
    }),
  );
  const byTruck = new Map(entries.map((entry) => [entry.truck, entry]));
  /** Keys of open issues, by the dedup hash of the truck that closes them. */
  const open = new Map<string, readonly string[]>();
  /** By key. */
  const written = new Map<string, NewIssue | null>();
  const toKey = (subject: string) => `${source.id}:${subject}`;

  function toIssue(entry: Entry, reject: Reject): NewIssue {
    if (entry.issue?.of === reject) return entry.issue.issue;
    const identity = identifyRecord(entry.record, sourceProviderId);
    const { field = null, received = null, fix = reject.message } = reject.violations[0] ?? {};
    const issue = { ...identity, dealer: dealer ?? identity.dealer, code: reject.code, field, received, fix };
    entry.issue = { of: reject, issue };
    return issue;
  }

  /** By key: the issue to open; null: to close. */
  function listWanted(): Map<string, NewIssue | null> {
    const wanted = new Map<string, NewIssue | null>();
    /** Of records without a whole VIN: their keys, by stock number. */
    const byStock = new Map<string, string>();
    for (const entry of entries) {
      const { reject, truck } = entry;
      if (reject !== null) {
        const issue = toIssue(entry, reject);
        const key = toKey(issue.subject);
        wanted.set(key, issue);
        if (!issue.hasWholeVin && issue.stockNumber !== null) byStock.set(issue.stockNumber, key);
      } else if (truck !== null) {
        for (const key of open.get(truck.dedupHash) ?? []) wanted.set(key, null);
        const unnamed = byStock.get(truck.patch.fields.stock_number ?? '');
        if (unnamed !== undefined) wanted.set(unnamed, null);
        const key = toKey(truck.dedupHash);
        if (wanted.has(key) || written.get(key)) wanted.set(key, null);
      }
    }
    return wanted;
  }

  return {
    addOpen(issues: ReadAnswer['issues']): void {
      for (const [dedupHash, keys] of issues) open.set(dedupHash, keys);
    },
    settle(truck: Truck, outcome: Outcome<unknown> | undefined): void {
      const entry = byTruck.get(truck);
      if (entry) entry.reject = outcome?.kind === 'rejected' ? outcome.reject : null;
    },
    /** What is not written yet; null: nothing. */
    plan(): IssueChanges | null {
      const changed = [...listWanted()].filter(([key, issue]) => written.get(key) !== issue);
      if (changed.length === 0) return null;
      return {
        open: changed.flatMap(([, issue]) => issue ?? []),
        close: changed.flatMap(([key, issue]) => (issue === null ? [key] : [])),
      };
    },
    confirm({ open: opened, close }: IssueChanges): void {
      for (const issue of opened) written.set(toKey(issue.subject), issue);
      for (const key of close) written.set(key, null);
    },
  };
}
