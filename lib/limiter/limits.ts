/** Fair use. */

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
