import { ISSUE_LIMITS } from '../contract/issues/issues.ts';
import { eraseAccounts } from './accounts/erase-account.ts';
import type { Context } from './context.ts';
import { sweepFeeds } from './feeds/sweep-feeds.ts';
import { maintainImages } from './images/maintain-images.ts';
import { rewriteOutdatedListings } from './inventory/rewrite-outdated-listings.ts';
import { sealStoredSecrets } from './leads/delivery/webhook-secret.ts';

export const HOUSEKEEPING = 'housekeeping';
const LEASE_SECONDS = 300;

/**
 * The hourly sweep: looks after the images; forgets Idempotency-Keys after their 24 hours, old answers of the geocoder, issues of long ago,
 * what feeds left behind, leads and conversations after LEAD_RETENTION_DAYS. Doubled or late deliveries are harmless:
 * one worker at a time, and what is overdue is done whenever it comes.
 */
export async function runHousekeeping(ctx: Context) {
  const {
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
  } = ctx.ports;
  const lease = await leases.acquire(HOUSEKEEPING, LEASE_SECONDS);
  if (lease === null) return { job: HOUSEKEEPING, outcome: 'busy', result: null };
  let result: Record<string, unknown> = { failed: true };
  try {
    result = {
      temp_files_swept: await tempFiles.sweep(),
      listings_rewritten: await rewriteOutdatedListings(listingUpkeep, ctx.ports.clock.now()),
      idempotency_keys_swept: await idempotency.sweep(),
      geocodes_swept: await store.sweepGeocodes(),
      webhook_secrets_sealed: await sealStoredSecrets(ctx.ports),
      lead_sends_swept: await leadDestinations.sweep(),
      key_usage_swept: await usage.sweep(),
      sessions_swept: await people.sweep(),
      ...(await eraseAccounts(ctx.ports)),
      issues_swept: await issues.sweep(ISSUE_LIMITS.days, ISSUE_LIMITS.perAccount),
      leads_swept: await leads.sweep(settings.leadRetentionDays),
      conversations_swept: await conversations.sweep(settings.leadRetentionDays),
      ...(await sweepFeeds(ctx.ports)),
      ...(await maintainImages(ctx.ports)),
    };
  } finally {
    // A throw must not keep the lease: the next delivery tries again.
    await leases.release(HOUSEKEEPING, lease.fence, result);
  }
  ctx.note(result);
  return { job: HOUSEKEEPING, outcome: 'done', result };
}
