import { iso } from '../db/fragments.ts';
import type { Sql, Statement } from '../db/sql.ts';
import { type Context, requireAccount } from '../http/context.ts';
import { BUCKETS } from '../http/guards/fair-use.ts';
import type { Quota } from '../limiter/limits.ts';
import { Unavailable } from '../outside/faults.ts';
import { LIMITS } from '../truck/fields.ts';
import { MAX_LISTING_BYTES, MAX_STORED } from './access.ts';
import type { OwnAccount } from './schemas.ts';
import { TODAY, writeUsage } from './usage.ts';

/** The calling account as it sees itself. */
export async function readOwnAccount(ctx: Context) {
  const { id, tier, limit_multiplier, min_feed_cadence_minutes, test } = requireAccount(ctx);
  await writeUsage(ctx.ports).catch((error: unknown) => {
    // What cannot be written now is missing in the answer, which is approximate.
    if (!(error instanceof Unavailable)) throw error;
  });
  const { keys: allKeys, name, created_at, counts, ...stored } = await readContents(ctx.ports.db, id);
  const { scopes = null, dealer = null, callerId = '', expiresAt = null } = ctx.principal ?? {};
  // What others do is for a key that may do everything.
  const isNarrow = scopes !== null || dealer !== null || expiresAt !== null;
  const keys = isNarrow ? allKeys.filter((key) => key.id === callerId) : allKeys;
  const sum = (period: 'day' | 'month') => keys.reduce((total, key) => total + key[period], 0);
  const toLimit = ({ limit, windowSeconds }: Quota) => ({
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
      requests: toLimit(BUCKETS.requests),
      batches: toLimit(BUCKETS.batches),
      records_per_batch: LIMITS.batchSize,
      min_feed_cadence_minutes,
      listings: MAX_STORED.listings[tier] * limit_multiplier,
      listing_bytes: MAX_LISTING_BYTES,
      photo_bytes: MAX_STORED.photo_bytes[tier] * limit_multiplier,
    },
    usage: { approximate: true as const, day: sum('day'), month: sum('month'), keys, ...stored },
    counts,
    key: { id: callerId, scopes, dealers: dealer === null ? null : [dealer], expires_at },
    contacts: { support: supportEmail, sales: salesEmail },
  };
}

type Contents = Pick<OwnAccount, 'name' | 'created_at'> &
  Pick<OwnAccount['usage'], 'keys'> &
  Record<'listings' | 'photo_bytes', number> & {
    counts: Record<'dealers' | 'feeds' | 'leads', number> & Pick<OwnAccount['counts'], 'listings'>;
  };

async function readContents(db: Sql, accountId: string): Promise<Contents> {
  const [row] = await db.query<Contents>(CONTENTS, [accountId]);
  if (!row?.name) throw new Error('the account of a key is gone');
  return row;
}

/** The account stands in subqueries: in FROM, beside the keys, a cluster asks all workers. */
const CONTENTS: Statement = {
  timeout: 'ingest',
  text: `
    with counted as (
      select count(*) filter (where status = 'available')::int as available,
        count(*) filter (where status = 'sold')::int as sold, count(*) filter (where status = 'delisted')::int as delisted
      from listing_search where account_id = $1
    ), used as (
      select key_id, sum(requests)::int as month, coalesce(sum(requests) filter (where day = ${TODAY}), 0)::int as day
      from key_usage where account_id = $1 and day >= date_trunc('month', ${TODAY})::date group by key_id
    ), keys as (
      select k.id, k.name, k.prefix, coalesce(u.day, 0) as day, coalesce(u.month, 0) as month
      from api_keys k left join used u on u.key_id = k.id
      where k.account_id = $1 and (k.revoked_at is null or u.month > 0) order by k.created_at, k.id
    )
    select (select name from accounts where id = $1) as name,
      (select ${iso('created_at')} from accounts where id = $1) as created_at,
      counted.available + counted.sold as listings,
      (select coalesce(sum(bytes), 0)::float8 from stored_images where account_id = $1) as photo_bytes,
      json_build_object('listings', to_json(counted),
        'dealers', (select count(*)::int from dealers where account_id = $1),
        'feeds', (select count(*)::int from feeds where account_id = $1 and id <> 'upload'),
        'leads', (select count(*)::int from leads where account_id = $1)) as counts,
      (select coalesce(json_agg(keys), '[]') from keys) as keys
    from counted`,
};
