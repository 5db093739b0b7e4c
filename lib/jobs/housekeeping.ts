import { raiseIssueAlerts } from '../accounts/alerts/queries.ts';
import { eraseAccounts } from '../accounts/erase-accounts.ts';
import { sweepSignIns } from '../accounts/people/sessions.ts';
import { sweepAudit } from '../accounts/queries/audit.ts';
import { sweepUsage } from '../accounts/usage.ts';
import { sweepConversations } from '../chat/queries.ts';
import { acquireLease, releaseLease } from '../db/jobs/leases.ts';
import { sweepUploads } from '../feeds/queries/uploads.ts';
import { sweepFeeds } from '../feeds/raw-files.ts';
import type { Context } from '../http/context.ts';
import { sweepIdempotencyKeys } from '../http/idempotency.ts';
import { maintainImages } from '../images/maintain-images.ts';
import { listOfHour } from '../images/queries/maintain-images.ts';
import { thinHistories } from '../inventory/queries/outdated-listings.ts';
import { rewriteOutdatedListings } from '../inventory/rewrite-outdated-listings.ts';
import { sweepIssues } from '../issues/queries.ts';
import { sweepLeads } from '../leads/queries/leads.ts';
import { sweepSends } from '../leads/queries/sends.ts';
import { sweepGeocodes } from '../outside/geocoder/geocodes.ts';
import type { Ports } from '../ports.ts';
import { keepAwake } from './database-sleep.ts';

/** A year's activity can be looked back at, and last year's month beside this one. */
const AUDIT_MONTHS = 13;
/** Prices of one account that are forgotten in an hour of its day. */
const MAX_PRICES_FORGOTTEN = 50_000;

/** The hourly housekeeping, one worker at a time; null: another is at it. Safe to repeat and to run late. */
export async function runHousekeeping({ ports, note }: Context) {
  const fence = await acquireLease(ports.db);
  if (fence === null) return null;
  let housekeeping: Record<string, number> | { failed: true } = { failed: true };
  try {
    housekeeping = await sweepAll(ports);
    note({ housekeeping });
    return housekeeping;
  } finally {
    // A throw must not keep the lease: the next delivery tries again.
    await releaseLease(ports.db, fence, housekeeping);
    // What it changed may have queued jobs.
    if (Object.values(housekeeping).some((count) => count !== 0)) await keepAwake(ports);
  }
}

type Step = (ports: Ports) => Promise<number | Record<string, number>>;

const STEPS: Readonly<Record<string, Step>> = {
  leads_swept: ({ db, settings }) => sweepLeads(db, settings.leadRetentionDays),
  conversations_swept: ({ db, settings }) => sweepConversations(db, settings.leadRetentionDays),
  listings_rewritten: ({ db, clock }) => rewriteOutdatedListings(db, clock.now()),
  prices_forgotten: forgetPrices,
  audit_rows_swept: ({ db }) => sweepAudit(db, AUDIT_MONTHS),
  idempotency_keys_swept: ({ db }) => sweepIdempotencyKeys(db),
  geocodes_swept: ({ db }) => sweepGeocodes(db),
  lead_sends_swept: ({ db }) => sweepSends(db),
  key_usage_swept: ({ db }) => sweepUsage(db),
  sessions_swept: ({ db }) => sweepSignIns(db),
  accounts: eraseAccounts,
  uploads_swept: ({ db }) => sweepUploads(db),
  issues_swept: ({ db }) => sweepIssues(db),
  alerts_raised: ({ db }) => raiseIssueAlerts(db),
  feeds: sweepFeeds,
  images: maintainImages,
};

/** Takes each step, whatever became of the others; throws what the first failing one threw. */
async function sweepAll(ports: Ports) {
  const counts: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const [name, step] of Object.entries(STEPS))
    try {
      const count = await step(ports);
      Object.assign(counts, typeof count === 'number' ? { [name]: count } : count);
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
  return counts;
}

/** Each account once a day. */
async function forgetPrices({ db, clock }: Ports) {
  let forgotten = 0;
  for (const { id } of await listOfHour(db, new Date(clock.now()).getUTCHours()))
    forgotten += await thinHistories(db, id, MAX_PRICES_FORGOTTEN);
  return forgotten;
}
