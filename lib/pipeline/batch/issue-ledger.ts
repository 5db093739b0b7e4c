import type { RawRecord, Reject, Truck } from '../stage.ts';
import { identifyRecord } from './identify-record.ts';
import type { IssueChanges, NewIssue } from './stored-listings.ts';

interface Entry {
  record: RawRecord;
  /** Null: validate rejected it. */
  dedupHash: string | null;
  stockNumber: string | null;
  reject: Reject | null;
  issue: { of: Reject; issue: NewIssue } | null;
}

export interface LedgerNeeds {
  /** Who sent the records. */
  source: string;
  records: readonly RawRecord[];
  /** Those that passed validate, by place in the batch. */
  trucks: readonly { index: number; item: Truck }[];
  dedupHashes: readonly string[];
  sourceProviderId: unknown;
  dealer: string | null;
}

/**
 * Which issues a batch opens and closes. Of several records of a truck the last counts. What is planned goes along with
 * the batch's write; whatever came out otherwise is planned again.
 */
export class IssueLedger {
  readonly #needs: LedgerNeeds;
  readonly #entries: Entry[];
  readonly #byTruck = new Map<Truck, Entry>();
  /** Keys of issues that are open, by the dedup hash of the truck that closes them. */
  readonly #open = new Map<string, readonly string[]>();
  /** By key. */
  readonly #written = new Map<string, NewIssue | null>();

  constructor(needs: LedgerNeeds) {
    this.#needs = needs;
    const nothing = { dedupHash: null, stockNumber: null, reject: null, issue: null };
    this.#entries = needs.records.map((record) => ({ record, ...nothing }));
    needs.trucks.forEach(({ index, item }, place) => {
      const entry = this.#entries[index];
      if (!entry) return;
      entry.dedupHash = needs.dedupHashes[place] ?? null;
      entry.stockNumber = item.patch.fields.stock_number ?? null;
      this.#byTruck.set(item, entry);
    });
  }

  addOpen(issues: ReadonlyMap<string, readonly string[]>): void {
    for (const [dedupHash, keys] of issues) this.#open.set(dedupHash, keys);
  }

  setTruck(truck: Truck, reject: Reject | null): void {
    const entry = this.#byTruck.get(truck);
    if (entry) entry.reject = reject;
  }

  setRecord(index: number, reject: Reject | null): void {
    const entry = this.#entries[index];
    if (entry) entry.reject = reject;
  }

  /** What is not written yet; null: nothing. */
  plan(): IssueChanges | null {
    const wanted = new Map<string, NewIssue | null>();
    /** Of records without a whole VIN: their keys, by stock number. */
    const byStock = new Map<string | null, string>();
    for (const entry of this.#entries) {
      const { reject, dedupHash, stockNumber } = entry;
      if (reject !== null) {
        const issue = this.#toIssue(entry, reject);
        const key = this.#toKey(issue.subject);
        wanted.set(key, issue);
        if (!issue.hasWholeVin && issue.stockNumber !== null) byStock.set(issue.stockNumber, key);
        continue;
      }
      if (dedupHash === null) continue;
      for (const open of this.#open.get(dedupHash) ?? []) wanted.set(open, null);
      const unnamed = byStock.get(stockNumber);
      if (unnamed !== undefined) wanted.set(unnamed, null);
      const key = this.#toKey(dedupHash);
      if (wanted.has(key) || this.#written.get(key)) wanted.set(key, null);
    }
    const changed = [...wanted].filter(([key, issue]) => this.#written.get(key) !== issue);
    if (changed.length === 0) return null;
    return {
      open: changed.flatMap(([, issue]) => (issue === null ? [] : [issue])),
      close: changed.flatMap(([key, issue]) => (issue === null ? [key] : [])),
    };
  }

  confirm({ open, close }: IssueChanges): void {
    for (const issue of open) this.#written.set(this.#toKey(issue.subject), issue);
    for (const key of close) this.#written.set(key, null);
  }

  #toKey(subject: string): string {
    return `${this.#needs.source}:${subject}`;
  }

  #toIssue(entry: Entry, reject: Reject): NewIssue {
    if (entry.issue?.of === reject) return entry.issue.issue;
    const { dealer, sourceProviderId } = this.#needs;
    const identity = identifyRecord(entry.record, sourceProviderId);
    const [first] = reject.violations;
    const issue: NewIssue = {
      ...identity,
      dealer: dealer ?? identity.dealer,
      code: reject.code,
      field: first?.field ?? null,
      received: first?.received ?? null,
      fix: first?.fix ?? reject.message,
    };
    entry.issue = { of: reject, issue };
    return issue;
  }
}
