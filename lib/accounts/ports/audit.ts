/** Who did what: written in the transaction of what it is about. */

export interface AuditEntry {
  /** `key.create` */
  action: string;
  target: string;
  requestId: string;
  detail: Record<string, unknown>;
  /** Whose activity it is part of; null: the operator's alone. */
  accountId: string | null;
  /** The id of a person or a key, or `operator`. */
  actor: string;
}

export interface AuditRow extends Omit<AuditEntry, 'requestId' | 'accountId'> {
  /** Counts up. */
  id: number;
  at: string;
  /** The address of a person who still belongs to the account, or the name of a key; null for others. */
  actor_name: string | null;
  /** Of a person, key, feed or lead that is still there; null for others. */
  target_name: string | null;
}

export interface Audit {
  add(entry: AuditEntry): Promise<void>;
  /** Forgets what is older, some thousands at a time; answers how many. */
  sweep(months: number): Promise<number>;
  of(accountId: string): {
    /** Newest first; `after` is the id of the last row seen. */
    list(page: { limit: number; after: string | null }): Promise<AuditRow[]>;
  };
}
