/** The one queue of work that waits for its time or for a worker. */

export const JOB_KINDS = ['feed', 'photos', 'email', 'webhook', 'flagged', 'dealer', 'alert'] as const;

export type JobKind = (typeof JOB_KINDS)[number];

/** A claimed job. */
export interface Job {
  accountId: string;
  kind: JobKind;
  /** What of the account it is about. */
  key: string;
  /** The lease token: of two workers that believe to have the job only the newer one may write. */
  token: number;
  /** This try included. */
  tries: number;
  payload: Record<string, unknown> | null;
  /** As it was claimed: another time in the row means that the job was enqueued again meanwhile. */
  dueAt: string;
  /** Since it was enqueued. */
  ageSeconds: number;
}

/** Jobs of an account; `key`: this one only, before all others. */
export interface JobsOf {
  accountId: string;
  key?: string;
}

export interface Jobs {
  /** Across all accounts: those with a job of the kind that is due, the longest waiting first. */
  waiting(kind: JobKind): Promise<string[]>;
  /** The account's next job of the kind, or the named one; null when it is not due, or so many are being worked on. */
  claim(kind: JobKind, of: JobsOf, maxPerAccount: number, leaseSeconds: number): Promise<Job | null>;
  /** False when the lease was lost. */
  heartbeat(job: Job, leaseSeconds: number): Promise<boolean>;
  /**
   * Gives a job back: it is done (null), or due again after so many seconds. One that was enqueued again meanwhile stays
   * due. `isTry`: it counts as a try. False when the lease was lost; then nothing was written.
   */
  release(job: Job, againSeconds: number | null, isTry: boolean): Promise<boolean>;
  /** Across all accounts: seconds until the first job of each kind is due, 0 or less when it is. */
  due(): Promise<{ kind: JobKind; seconds: number }[]>;
  /** Enqueues what waits and has no job; returns how many jobs. */
  sweep(): Promise<number>;
}
