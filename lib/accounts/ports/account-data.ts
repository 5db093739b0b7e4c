import type { RawFile } from '../../feeds/feed.ts';
import type { UnusedImage } from '../../images/image.ts';
import type { AuditEntry } from './audit.ts';

/** All that the service keeps of an account: to take along, and to remove. */

export interface ExportRow {
  table: string;
  row: Record<string, unknown>;
}

export interface AccountData {
  of(accountId: string): {
    /** Row by row, in parts; nothing secret. */
    read(): Promise<AsyncIterable<ExportRow[]>>;
    /** Suspends the account, and has it erased after so many days; once more changes nothing. */
    askErasure(days: number, audit: AuditEntry): Promise<void>;
    /** Undoes it, and the suspension unless it is the operator's too; false when none waits, or it has begun. */
    undoErasure(audit: AuditEntry): Promise<boolean>;
    rawFiles(max: number): Promise<RawFile[]>;
    fileRemoved(runId: string): Promise<void>;
    images(max: number): Promise<UnusedImage[]>;
    /** Removes rows of one table after the other, at most so many; returns the number of them. */
    removeRows(max: number): Promise<number>;
    /** Removes the account itself; false while something of it is left, or a writer may still be under way. */
    finish(): Promise<boolean>;
  };
  /** Begins what is due; returns the ids of accounts that are being erased. From then on nothing undoes it. */
  erasing(): Promise<string[]>;
}
