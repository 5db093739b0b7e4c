import type { PipelineInput } from '../needs.ts';
import type { Outcome, RawRecord, RecordResult, Reject, Rejected, Truck } from '../stage.ts';
import { identifyRecord } from './identify-record.ts';
import type { IssueChanges, NewIssue, RecordSource } from './stored-listings.ts';

/** The records of a batch, and by place what validate and the whole pipeline made of each. */
interface Settled {
  records: readonly RawRecord[];
  validated: readonly Outcome<Truck, Rejected>[];
  results: readonly RecordResult[];
  /** Keys of open issues, by the dedup hash of the truck that closes them. */
  openIssues: ReadonlyMap<string, readonly string[]>;
}

type Sender = Pick<PipelineInput, 'sourceProviderId' | 'dealer'> & { source: RecordSource };

/** Which issues a batch opens and closes. Of several records of a truck the last counts. */
export function listIssues(
  { records, validated, results, openIssues }: Settled,
  { source, sourceProviderId, dealer = null }: Sender,
): IssueChanges {
  /** By key: the issue to open; null: to close. */
  const changes = new Map<string, NewIssue | null>();
  /** Keys of records without a whole VIN, by stock number. */
  const byStock = new Map<string, string>();
  const toKey = (subject: string) => `${source.id}:${subject}`;
  for (const [index, outcome] of validated.entries()) {
    const result = results[index];
    if (result?.kind === 'rejected') {
      const identity = identifyRecord(records[index], sourceProviderId);
      const key = toKey(identity.subject);
      changes.set(key, { ...identity, ...toFault(result.reject), dealer: dealer ?? identity.dealer });
      if (!identity.hasWholeVin && identity.stockNumber !== null) byStock.set(identity.stockNumber, key);
    } else if (outcome.kind === 'continue') {
      const { dedupHash, patch } = outcome.item;
      const ownKeys = [toKey(dedupHash), byStock.get(patch.fields.stock_number ?? '') ?? ''];
      const closedKeys = [...ownKeys.filter((key) => changes.has(key)), ...(openIssues.get(dedupHash) ?? [])];
      for (const key of closedKeys) changes.set(key, null);
    }
  }
  return {
    open: [...changes.values()].filter((issue) => issue !== null),
    close: [...changes].flatMap(([key, issue]) => (issue === null ? [key] : [])),
  };
}

function toFault({ code, message, violations }: Reject) {
  const { field = null, received = null, fix = message } = violations[0] ?? {};
  return { code, field, received, fix };
}
