import * as z from 'zod/mini';
import { about, IsoTime, Nullable, nameSchema } from '../truck/json.ts';
import { TIERS } from './access.ts';

/** Schemas of GET /v1/account. */

const Limit = z.object({ limit: z.int(), window_seconds: z.int() });
const Calls = {
  day: about(z.int(), 'Calls since midnight, UTC.'),
  month: about(z.int(), 'Calls since the first of the month, UTC.'),
};

export const OwnAccountAnswer = nameSchema(
  'OwnAccount',
  z.object({
    id: z.string(),
    name: z.string(),
    tier: z.enum(TIERS),
    test: about(z.boolean(), 'A test account.'),
    limit_multiplier: about(z.int(), 'Factor on the limits of calls and of storage; `limits` includes it.'),
    created_at: IsoTime,
    limits: about(
      z.object({
        requests: Limit,
        batches: Limit,
        records_per_batch: z.int(),
        min_feed_cadence_minutes: z.int(),
        listings: about(z.int(), 'Listings of the account that are not delisted.'),
        listing_bytes: about(z.int(), 'Size of one listing as JSON.'),
        photo_bytes: about(z.int(), 'Photos of the account, originals and renditions together.'),
      }),
      'Calls of each key, and what the account may store.',
    ),
    usage: z.object({
      approximate: about(
        z.literal(true),
        'Calls of the last minute, or of a process that was killed, may be missing.',
      ),
      ...Calls,
      keys: z.array(z.object({ id: z.string(), name: Nullable.text, prefix: z.string(), ...Calls })),
      listings: about(Nullable.integer, 'Listings that are not delisted; null as in `counts`.'),
      photo_bytes: about(
        Nullable.integer,
        'Stored photos, originals and renditions together; null as in `counts`.',
      ),
    }),
    counts: about(
      z.object({
        listings: z.nullable(z.object({ available: z.int(), sold: z.int(), delisted: z.int() })),
        dealers: Nullable.integer,
        feeds: Nullable.integer,
        leads: Nullable.integer,
      }),
      'A count is null when the key lacks its scope.',
    ),
    key: about(
      z.object({
        id: z.string(),
        scopes: about(z.nullable(z.array(z.string())), 'Null: all.'),
        dealers: about(z.nullable(z.array(z.string())), 'Null: all.'),
        expires_at: about(Nullable.time, 'The key is refused from then on; null: never.'),
      }),
      'The key of this call.',
    ),
    contacts: z.object({ support: z.string(), sales: z.string() }),
  }),
  'The account of the key.',
);
export type OwnAccount = z.output<typeof OwnAccountAnswer>;
