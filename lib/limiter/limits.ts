/** Fair use, and writes that happen once. */

export interface StoredAnswer {
  status: number;
  body: string;
}

/** Answers kept under an Idempotency-Key for 24 hours. */
export interface Idempotency {
  of(accountId: string): {
    /** Claims the key inside the caller's transaction; waits for a concurrent request with the key to finish. */
    claim(key: string, fingerprint: string): Promise<'claimed' | 'mismatch' | StoredAnswer>;
    /** Keeps the answer as the transaction commits. */
    keep(key: string, answer: StoredAnswer): Promise<void>;
    /** Frees the key again as the transaction commits. */
    drop(key: string): Promise<void>;
  };
  /** Deletes what has expired, and the oldest of an account with more bytes than this (64 MiB); answers how many. */
  sweep(maxBytes?: number): Promise<number>;
}

/** How many of what per window: a bucket of the fair-use limiter. */
export interface Quota {
  /** Name on the wire, for example `requests`. */
  name: string;
  limit: number;
  windowSeconds: number;
}

export interface Verdict {
  allowed: boolean;
  /** Calls left in the window after this one. */
  remaining: number;
  /**
   * Whole seconds, at least 1. Of a refusal: until there is room again, so that a lone caller that waits them is admitted.
   * Otherwise: until nothing is counted any more.
   */
  resetSeconds: number;
}

/** Exact sliding log: never more than `limit` admitted in any window of `windowSeconds`. Refused calls are not counted. */
export interface Limiter {
  /** True when answers come from this process without waiting. */
  readonly local: boolean;
  take(quota: Quota, subject: string): Promise<Verdict>;
  /** Throws when the backing store does not answer. */
  ping(): Promise<unknown>;
}
