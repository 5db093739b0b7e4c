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
  /** Calls left in the window after this one; below 0 where a larger limit of the same log admitted more. */
  remaining: number;
  /** Seconds until the window has room for everything again (at least 1 while anything is counted). */
  resetSeconds: number;
  /** Whole seconds to wait; 0 when allowed. A lone caller that waits them is admitted. */
  retryAfterSeconds: number;
}

/** Exact sliding log: never more than `limit` admitted in any window of `windowSeconds`. */
export interface Limiter {
  /** True when answers come from this process without waiting. */
  readonly local: boolean;
  take(quota: Quota, subject: string): Promise<Verdict>;
  /** Whether `take` would admit a call; counts none. */
  look(quota: Quota, subject: string): Promise<Verdict>;
  /** Milliseconds of a round trip to the backing store; throws when it does not answer. */
  ping(): Promise<number>;
}
