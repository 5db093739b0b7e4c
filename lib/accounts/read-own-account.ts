import { type Context, requireAccount } from '../http/context.ts';
import { Unavailable } from '../outside/faults.ts';
import { LIMITS } from '../truck/fields.ts';
import { MAX_LISTING_BYTES, MAX_STORED } from './storage.ts';
import { writeUsage } from './usage.ts';

/** A fair-use ceiling of one key. */
export interface Ceiling {
  limit: number;
  windowSeconds: number;
}

/** The calling account as it sees itself. */
export async function readOwnAccount(
  ctx: Context,
  ceilings: Readonly<Record<'requests' | 'batches', Ceiling>>,
) {
  const { id, tier, limit_multiplier, min_feed_cadence_minutes, test } = requireAccount(ctx);
  await writeUsage(ctx.ports).catch((error: unknown) => {
    // What cannot be written now is missing in the answer, which is approximate.
    if (!(error instanceof Unavailable)) throw error;
  });
  const { keys: all, name, created_at, photo_bytes, ...counts } = await ctx.ports.usage.of(id).overview();
  const { scopes = null, dealer = null, keyId = '', expiresAt = null } = ctx.principal ?? {};
  // What others do is for a key that may do everything.
  const isNarrow = scopes !== null || dealer !== null || expiresAt !== null;
  const keys = isNarrow ? all.filter((key) => key.id === keyId) : all;
  const sum = (period: 'day' | 'month') => keys.reduce((total, key) => total + key[period], 0);
  const toLimit = ({ limit, windowSeconds }: Ceiling) => ({
    limit: limit * limit_multiplier,
    window_seconds: windowSeconds,
  });
  const { supportEmail, salesEmail } = ctx.ports.settings;
  const expires_at = expiresAt === null ? null : new Date(expiresAt).toISOString();
  return {
    id,
    name,
    tier,
    test,
    limit_multiplier,
    created_at,
    limits: {
      requests: toLimit(ceilings.requests),
      batches: toLimit(ceilings.batches),
      records_per_batch: LIMITS.batchSize,
      min_feed_cadence_minutes,
      listings: MAX_STORED.listings[tier] * limit_multiplier,
      listing_bytes: MAX_LISTING_BYTES,
      photo_bytes: MAX_STORED.photo_bytes[tier] * limit_multiplier,
    },
    usage: {
      approximate: true as const,
      day: sum('day'),
      month: sum('month'),
      keys,
      listings: counts.listings.available + counts.listings.sold,
      photo_bytes,
    },
    counts,
    key: { id: keyId, scopes, dealers: dealer === null ? null : [dealer], expires_at },
    contacts: { support: supportEmail, sales: salesEmail },
  };
}
