import type { Page } from '../accounts/ports/accounts.ts';

/** Records that are not listed now, and why. */

/** A sender of records, whose rejects are kept apart from other senders'. */
export interface RecordSource {
  /** `api`, `upload`, or the id of a feed. */
  id: string;
  /** The run of a feed; null otherwise. */
  runNo: number | null;
  /** False once so many of its records were rejected that further ones are not kept. */
  keepsIssues: boolean;
}

/** A reject to be kept. */
export interface NewIssue {
  /** Which truck, 64 hexadecimal digits: its dedup hash, or a hash of what a record without a whole VIN says. */
  subject: string;
  /** Normalised, of any length. */
  vin: string | null;
  hasWholeVin: boolean;
  stockNumber: string | null;
  /** As the record names it. */
  dealer: string | null;
  code: string;
  field: string | null;
  received: unknown;
  fix: string;
}

/** What one write of a source changes. */
export interface IssueChanges {
  open: readonly NewIssue[];
  /** Keys of those about trucks that were accepted, of any source. */
  close: readonly string[];
}

/** Of an issue, by source and subject. */
export const toIssueKey = (source: string, subject: string): string => `${source}:${subject}`;

/** As it is answered. */
export interface Issue {
  source: string;
  vin: string | null;
  stock_number: string | null;
  dealer: string | null;
  code: string;
  field: string | null;
  received: unknown;
  fix: string;
  times: number;
  first_seen_at: string;
  last_seen_at: string;
}

/** Null: any. */
export interface IssueFilters {
  source: string | null;
  code: string | null;
  dealer: string | null;
  vin: string | null;
  /** Only what a person left out, or only what nobody did. */
  leftOut: boolean;
}

/** One issue by source and subject, or those of a code and field; null: any. */
export interface IssueChoice {
  source: string | null;
  subject: string | null;
  code: string | null;
  field: string | null;
}

/** Issues of one code and field, which the same change mends. */
export interface IssueGroup {
  code: string;
  field: string | null;
  /** Distinct trucks. */
  count: number;
  /** Of the one seen last. */
  fix: string;
}

export interface Issues {
  of(accountId: string): {
    /** Seen last first, each with the key of its place for the next page. */
    list(filters: IssueFilters, page: Page): Promise<(Issue & { key: string })[]>;
    /** The largest first. */
    groups(filters: IssueFilters): Promise<IssueGroup[]>;
    /** Says that these trucks are not to be listed, or are after all; returns how many. */
    setLeftOut(choice: IssueChoice, isLeftOut: boolean): Promise<number>;
  };
  /** Forgets what was not seen for so many days, and of each account all but the newest; returns how many. */
  sweep(days: number, maxPerAccount: number): Promise<number>;
}
