import { ISSUE_LIMITS } from '../../contract/issues/issues.ts';
import type { Ports } from '../../ports/ports.ts';
import { eraseAccounts } from '../accounts/erase-account.ts';
import { sweepFeeds } from '../feeds/sweep-feeds.ts';
import { maintainImages } from '../images/maintain-images.ts';
import { rewriteOutdatedListings } from '../inventory/rewrite-outdated-listings.ts';
import { sealStoredSecrets } from '../leads/delivery/webhook-secret.ts';
import type { JobRun } from './job-run.ts';

export const HOUSEKEEPING = 'housekeeping';
const LEASE_SECONDS = 300;
/** A year's activity can be looked back at, and last year's month beside this one. */
const AUDIT_MONTHS = 13;
/** Prices of one account that are forgotten in an hour of its day. */
const MAX_PRICES_FORGOTTEN = 50_000;

/** The hourly housekeeping, one worker at a time. Safe to repeat and to run late. */
export async function runHousekeeping(ports: Ports): Promise<JobRun> {
  const {
    alerts,
    audit,
    leases,
    idempotency,
    issues,
    usage,
    people,
    listingUpkeep,
    leads,
    leadDestinations,
    conversations,
    store,
    settings,
    tempFiles,
    uploads,
  } = ports;
  const lease = await leases.acquire(HOUSEKEEPING, LEASE_SECONDS);
  if (lease === null) return { outcome: 'busy', result: null };
  let result: Record<string, unknown> = { failed: true };
  try {
    result = {
      // What must not be kept goes first: a fault below must not keep it.
      leads_swept: await leads.sweep(settings.leadRetentionDays),
      conversations_swept: await conversations.sweep(settings.leadRetentionDays),
      temp_files_swept: await tempFiles.sweep(),
      listings_rewritten: await rewriteOutdatedListings(listingUpkeep, ports.clock.now()),
      prices_forgotten: await thinHistories(ports),
      audit_rows_swept: await audit.sweep(AUDIT_MONTHS),
      idempotency_keys_swept: await idempotency.sweep(),
      geocodes_swept: await store.sweepGeocodes(),
      webhook_secrets_sealed: await sealStoredSecrets(ports),
      lead_sends_swept: await leadDestinations.sweep(),
      key_usage_swept: await usage.sweep(),
      sessions_swept: await people.sweep(),
      ...(await eraseAccounts(ports)),
      uploads_swept: await uploads.sweep(),
      issues_swept: await issues.sweep(ISSUE_LIMITS.days, ISSUE_LIMITS.perAccount),
      alerts_raised: await alerts.raiseForIssues(),
      ...(await sweepFeeds(ports)),
      ...(await maintainImages(ports)),
    };
  } finally {
    // A throw must not keep the lease: the next delivery tries again.
    await leases.release(HOUSEKEEPING, lease.fence, result);
  }
  return { outcome: 'done', result };
}

/** Each account once a day. */
async function thinHistories({ imageUpkeep, listingUpkeep, clock }: Ports): Promise<number> {
  let forgotten = 0;
  for (const account of await imageUpkeep.ofHour(new Date(clock.now()).getUTCHours()))
    forgotten += await listingUpkeep.thinHistories(account, MAX_PRICES_FORGOTTEN);
  return forgotten;
}
