import type { JobKind } from '../db/jobs/queue.ts';
import type { Env } from '../env.ts';

/** Settings from the environment, and those derived from it. */
export interface Settings
  extends Pick<
    Env,
    | 'supportEmail'
    | 'salesEmail'
    | 'adminToken'
    | 'cronSecret'
    | 'fairUse'
    | 'aiDailyTokens'
    | 'dualUseMakes'
    | 'publicUrl'
    | 'leadRetentionDays'
    | 'outboundAllow'
  > {
  /** In base64, the same in all instances; a key for every purpose is derived of it. */
  signingSecret: string;
  /** Where mails go: to a server, nowhere, or to files in a folder of this machine. */
  mail: 'smtp' | 'none' | { folder: string };
  /** Kinds of jobs that this deployment leaves to others. */
  restingJobs: ReadonlySet<JobKind>;
  feeds: {
    /** Work on a run stops after this many ms and goes on in the next invocation. */
    softDeadlineMs: number;
    /** Most bytes of one download. */
    maxBytes: number;
    fetchTimeoutMs: number;
    /** A download ends before the disk has less. */
    minFreeBytes: number;
  };
}
