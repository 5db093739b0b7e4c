import type { JobKind } from '../db/jobs/queue.ts';

/** Settings that services need, from the environment. */
export interface Settings {
  supportEmail: string;
  salesEmail: string;
  adminToken: string | null;
  cronSecret: string | null;
  fairUse: 'enforce' | 'observe';
  /** Of the AI provider, for all accounts together; null: as many as are asked for. */
  aiDailyTokens: number | null;
  /** Makes that also build consumer vehicles. */
  dualUseMakes: readonly string[];
  /** In base64, the same in all instances; a key for every purpose is derived of it. */
  signingSecret: string;
  /** Where the service is reached, for links in mails; null: mails carry none. */
  publicUrl: string | null;
  /** Where mails go: to a server, nowhere, or to files in a folder of this machine. */
  mail: 'smtp' | 'none' | { folder: string };
  /** Days that leads and conversations are kept. */
  leadRetentionDays: number;
  /** What may be fetched from although it is not public: `host:port`, in lower case. */
  outboundAllow: ReadonlySet<string>;
  /** Kinds of jobs that this deployment leaves to others. */
  restingJobs: ReadonlySet<JobKind>;
  feeds: {
    /** Work on a run stops after this many ms and goes on in the next invocation. */
    softDeadlineMs: number;
    /** Of one download. */
    maxBytes: number;
    fetchTimeoutMs: number;
    /** A download ends before the disk has less. */
    minFreeBytes: number;
  };
}
