import { ISSUE_LIMITS } from '../../contract/issues/issues.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Context } from '../context.ts';
import { sweepFeeds } from '../feeds/sweep-feeds.ts';
import { maintainImages } from '../images/maintain-images.ts';
import { rewriteOutdatedListings } from '../inventory/rewrite-outdated-listings.ts';
import { keepAwake } from './database-sleep.ts';
import { eraseAccounts } from './erase-accounts.ts';

export const HOUSEKEEPING = 'housekeeping';
const LEASE_SECONDS = 300;
/** A year's activity can be looked back at, and last year's month beside this one. */
const AUDIT_MONTHS = 13;
/** Prices of one account that are forgotten in an hour of its day. */
const MAX_PRICES_FORGOTTEN = 50_000;

/** The hourly housekeeping, one worker at a time. Safe to repeat and to run late. */
export async function runHousekeeping({ ports, note }: Context) {
  const lease = await ports.leases.acquire(HOUSEKEEPING, LEASE_SECONDS);
  if (lease === null) return { job: HOUSEKEEPING, outcome: 'busy', result: null };
  let result: Record<string, number> | { failed: true } = { failed: true };
  try {
    result = await sweepAll(ports);
    note({ [HOUSEKEEPING]: result });
    return { job: HOUSEKEEPING, outcome: 'done', result };
  } finally {
    // A throw must not keep the lease: the next delivery tries again.
    await ports.leases.release(HOUSEKEEPING, lease.fence, result);
    // What it changed may have queued jobs.
    if (Object.values(result).some((count) => count !== 0)) await keepAwake(ports);
  }
}

async function sweepAll(ports: Ports) {
  const { leadRetentionDays } = ports.settings;
  return {
    // What must not be kept goes first: a fault below must not keep it.
    leads_swept: await ports.leads.sweep(leadRetentionDays),
    conversations_swept: await ports.conversations.sweep(leadRetentionDays),
    listings_rewritten: await rewriteOutdatedListings(ports.listingUpkeep, ports.clock.now()),
    prices_forgotten: await thinHistories(ports),
    audit_rows_swept: await ports.audit.sweep(AUDIT_MONTHS),
    idempotency_keys_swept: await ports.idempotency.sweep(),
    geocodes_swept: await ports.store.sweepGeocodes(),
    lead_sends_swept: await ports.leadDestinations.sweep(),
    key_usage_swept: await ports.usage.sweep(),
    sessions_swept: await ports.people.sweep(),
    ...(await eraseAccounts(ports)),
    uploads_swept: await ports.uploads.sweep(),
    jobs_enqueued: await ports.jobs.sweep(),
    issues_swept: await ports.issues.sweep(ISSUE_LIMITS.days, ISSUE_LIMITS.perAccount),
    alerts_raised: await ports.alerts.raiseForIssues(),
    ...(await sweepFeeds(ports)),
    ...(await maintainImages(ports)),
  };
}

/** Each account once a day. */
async function thinHistories({ imageUpkeep, listingUpkeep, clock }: Ports): Promise<number> {
  let forgotten = 0;
  for (const account of await imageUpkeep.ofHour(new Date(clock.now()).getUTCHours()))
    forgotten += await listingUpkeep.thinHistories(account, MAX_PRICES_FORGOTTEN);
  return forgotten;
}
