import { cut } from '../../domain/text/text.ts';
import type { RecordResult } from '../../pipeline/results.ts';
import type { FeedRow } from '../../ports/feeds/feed-files.ts';
import type { FeedReject } from '../../ports/feeds/feeds.ts';
import type { RecordSource } from '../../ports/issues/issues.ts';
import type { Ports } from '../../ports/ports.ts';
import { ingestFor } from '../../services/inventory/ingest-listings.ts';
import type { FeedPlan } from '../mapping/feed-mapping.ts';
import { feedRecords, pairTruckRows } from '../mapping/feed-records.ts';
import { openFaultIssues, toFaultReject, toReject } from '../row-rejects.ts';
import { describeFix } from './describe-fix.ts';
import { RejectedRows } from './rejected-rows.ts';

/** What became of the rows of a file so far. */
export interface Uploaded {
  /** Of the file. */
  rows: number;
  created: number;
  merged: number;
  unchanged: number;
  rejected: number;
  /** Sold or delisted by the file, and not on the list. */
  unlisted: number;
  /** Rows that were not come to, or that the time did not suffice for. */
  unsent: number;
  isDone: boolean;
  /** The first ones. */
  rejects: UploadReject[];
  /** The first ones, of trucks that are listed all the same. */
  warnings: { line: number; vin: string; message: string }[];
  /** Of the first rows, in order. */
  results: RowResult[];
}

/** A row that was rejected, by its first fault. */
interface UploadReject extends FeedReject {
  stock_number: string | null;
  further: RowFault[];
}

type RowFault = Pick<FeedReject, 'field' | 'fix'>;

interface RowResult {
  line: number;
  vin: string | null;
  outcome: 'created' | 'merged' | 'unchanged' | 'rejected' | 'unlisted';
}

const SOURCE: RecordSource = { id: 'upload', runNo: null, keepsIssues: true };
/** Rejects and warnings that are listed one by one. */
const MAX_SHOWN = 100;
/** Rows whose result is listed. */
const MAX_RESULTS = 500;

/** Lists rows and notes what became of them, one by one. */
export class RowLister {
  readonly uploaded: Uploaded;
  readonly rejectedRows = new RejectedRows();
  readonly #ports: Ports;
  readonly #accountId: string;
  readonly #plan: FeedPlan;

  constructor(ports: Ports, accountId: string, rows: number, plan: FeedPlan) {
    this.#ports = ports;
    this.#accountId = accountId;
    this.#plan = plan;
    const counts = { created: 0, merged: 0, unchanged: 0, rejected: 0, unlisted: 0 };
    this.uploaded = { rows, ...counts, unsent: rows, isDone: false, rejects: [], warnings: [], results: [] };
  }

  async list(rows: readonly FeedRow[]): Promise<void> {
    const ports = this.#ports;
    const read = pairTruckRows(rows, await feedRecords(ports, rows, this.#plan), this.#plan);
    const sound = read.flatMap(({ row, record }) => (row.fault === null ? [record] : []));
    const input = { records: sound, source: SOURCE, dryRun: false, observedAt: null };
    const results = (await ingestFor(ports, this.#accountId, input)).values();
    await openFaultIssues(ports.listings.of(this.#accountId), read, SOURCE, null);
    for (const { row, record } of read)
      this.#note(row, record, row.fault === null ? results.next().value : undefined);
    this.uploaded.unsent -= rows.length;
    // Notes and sums are no trucks.
    this.uploaded.rows -= rows.length - read.length;
  }

  #note(
    row: FeedRow,
    record: Readonly<Record<string, unknown>> | null,
    result: RecordResult | undefined,
  ): void {
    if (result?.kind === 'accepted') this.#noteAccepted(row, result);
    else if (result?.kind === 'rejected')
      this.#noteRejected(row, toReject(row, result), record, result.reject.violations.slice(1));
    else if (result?.kind === 'not_found') {
      this.uploaded.unlisted += 1;
      this.#noteResult({ line: row.line, vin: result.vin, outcome: 'unlisted' });
    } else this.#noteRejected(row, toFaultReject(row, record), record);
  }

  #noteAccepted({ line }: FeedRow, { outcome, vin, warnings: found }: Accepted): void {
    const { warnings } = this.uploaded;
    this.uploaded[outcome] += 1;
    this.#noteResult({ line, vin, outcome });
    const shown = found.slice(0, MAX_SHOWN - warnings.length);
    warnings.push(...shown.map(({ message }) => ({ line, vin, message })));
  }

  /** People find a truck of theirs by its stock number, and mend all of a row's faults at once. */
  #noteRejected(
    row: FeedRow,
    reject: FeedReject,
    record: Readonly<Record<string, unknown>> | null,
    others: readonly RowFault[] = [],
  ): void {
    const further = others.map(({ field, fix }) => ({ field, fix }));
    const { rejects } = this.uploaded;
    this.uploaded.rejected += 1;
    this.rejectedRows.add(
      row,
      [reject, ...further].map(({ field, fix }) => describeFix(field, fix)).join(' '),
    );
    this.#noteResult({ line: row.line, vin: reject.vin, outcome: 'rejected' });
    if (rejects.length >= MAX_SHOWN) return;
    const stock = record?.stock_number;
    const isShown = typeof stock === 'string' || typeof stock === 'number';
    rejects.push({ ...reject, stock_number: isShown ? cut(String(stock), 60) : null, further });
  }

  #noteResult(result: RowResult): void {
    if (this.uploaded.results.length < MAX_RESULTS) this.uploaded.results.push(result);
  }
}

type Accepted = Extract<RecordResult, { kind: 'accepted' }>;
