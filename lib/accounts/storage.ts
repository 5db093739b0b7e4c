import type { Tier } from './access.ts';

/** What an account may store by its tier; times its `limit_multiplier`. */
export const MAX_STORED = {
  /** Not delisted. */
  listings: { starter: 5_000, pro: 100_000, enterprise: 100_000 },
  photo_bytes: { starter: 5e9, pro: 100e9, enterprise: 100e9 },
} as const satisfies Record<string, Record<Tier, number>>;
export type Stored = keyof typeof MAX_STORED;

/** Of one listing, as JSON. */
export const MAX_LISTING_BYTES = 32 * 1024;
