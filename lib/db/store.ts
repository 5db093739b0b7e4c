import type { Alerts } from '../accounts/alerts/port.ts';
import type { DealerMoves } from '../accounts/dealers/moves-port.ts';
import type { Dealers } from '../accounts/dealers/port.ts';
import type { People } from '../accounts/people/port.ts';
import type { AccountData } from '../accounts/ports/account-data.ts';
import type { Accounts } from '../accounts/ports/accounts.ts';
import type { Audit } from '../accounts/ports/audit.ts';
import type { Overview } from '../accounts/ports/overview.ts';
import type { Usage } from '../accounts/ports/usage.ts';
import type { Images, ImageUpkeep } from '../images/port.ts';
import type { Listings, ListingUpkeep } from '../inventory/port.ts';
import type { Issues } from '../issues/port.ts';
import type { LeadDestinations } from '../leads/ports/lead-destinations.ts';
import type { Conversations, Leads } from '../leads/ports/leads.ts';
import type { DeliveryKind } from '../leads/schemas/lead-states.ts';
import type { Idempotency } from '../limiter/limits.ts';
import type { Market } from '../market/port.ts';
import type { Search } from '../search/port.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Sql } from './sql.ts';

/** The database as a whole. */

/** A job's lease with a fencing token: only the newest worker may write. */
export interface Leases {
  /** Null while another worker's lease lasts. */
  acquire(job: string, seconds: number): Promise<{ fence: number } | null>;
  /** False when the lease was lost meanwhile. */
  release(job: string, fence: number, result: Record<string, unknown>): Promise<boolean>;
  last(job: string): Promise<{ finishedAt: string; result: Record<string, unknown> } | null>;
}

/** What waits across all accounts. */
export interface Backlog {
  /** Age of the oldest delivery of a lead that is pending; null when none is. */
  oldestLeadMs: number | null;
  /** For how long the oldest feed run is due that nobody works on. */
  oldestRunMs: number | null;
  /** Age of the first account: how long the service is in use. */
  oldestAccountMs: number | null;
  /** One sealed secret for each key that sealed any. */
  sealed: string[];
}

/** How feeds, queues and deliveries do across all accounts; `id` is that of the account. */
export interface Operations {
  queuedRuns: number;
  runningRuns: number;
  waitingLeads: number;
  retriedLeads: number;
  waitingImages: number;
  waitingMails: number;
  /** Whose last run failed, or waits for a person. */
  feeds: {
    id: string;
    account: string;
    feed: string;
    status: 'held' | 'failed';
    at: string | null;
    message: string | null;
  }[];
  /** Given up in the last 7 days. */
  deliveries: {
    id: string;
    account: string;
    dealer: string;
    kind: DeliveryKind;
    leads: number;
    message: string | null;
  }[];
}

/** The database as a whole. */
export interface Store {
  /** Milliseconds of a trivial round trip. */
  ping(): Promise<number>;
  /** False of a standby, and where the disk is nearly full: everything can be read, and nothing is saved. */
  isWritable(): Promise<boolean>;
  /** Applied migrations against those the code knows. */
  migrations(): Promise<{ applied: number; known: number }>;
  /** Forgets what the remote geocoder said long ago; answers how many places. */
  sweepGeocodes(): Promise<number>;
  backlog(): Promise<Backlog>;
  operations(): Promise<Operations>;
  /**
   * Runs `work` with every store port bound to one transaction; a throw rolls back. A transaction of the bound store is the
   * same one. `role`: how long its statements may take, by default as long as what callers write.
   */
  transaction<T>(work: (bound: StorePorts) => Promise<T>, role?: 'ingest' | 'job'): Promise<T>;
  /** Has whatever `work` asks of the database wait for its turn as this account's. */
  asAccount<Result>(accountId: string, work: () => Result): Result;
  close(): Promise<void>;
}

export interface StorePorts {
  store: Store;
  /** For queries that are functions of a concern. */
  db: Sql;
  listings: Listings;
  dealers: Dealers;
  dealerMoves: DealerMoves;
  accounts: Accounts;
  people: People;
  accountData: AccountData;
  alerts: Alerts;
  audit: Audit;
  overview: Overview;
  usage: Usage;
  idempotency: Idempotency;
  leases: Leases;
  jobs: Jobs;
  market: Market;
  images: Images;
  imageUpkeep: ImageUpkeep;
  listingUpkeep: ListingUpkeep;
  search: Search;
  conversations: Conversations;
  leads: Leads;
  leadDestinations: LeadDestinations;
  issues: Issues;
}
