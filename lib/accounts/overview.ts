import { iso } from '../db/fragments.ts';
import type { Sql, Statement } from '../db/sql.ts';
import { DISTINCT_TRUCKS } from '../issues/distinct-trucks.ts';

type FeedTask = Record<'id' | 'name' | 'run', string>;

/** What of an account needs a person. */
export interface Attention {
  /** Leads that nothing was done about. */
  new_leads: number;
  /** Of these, such whose delivery was given up. */
  undelivered: number;
  /** With the run that is held; uploads are among them. */
  held_feeds: FeedTask[];
  /** With the last run, which failed. */
  failing_feeds: FeedTask[];
  listings: Record<'available' | 'sold' | 'delisted', number>;
  /** Of those that are available. */
  without_images: number;
  without_price: number;
  /** In no widget. */
  without_dealer: number;
  /** Dealers of listed trucks whose leads are sent nowhere. */
  dealers_without_delivery: number;
  /** Keys that end within two weeks. */
  ending_keys: { id: string; name: string | null; prefix: string; expires_at: string }[];
  /** What is not listed now, by what to change: the most frequent first. */
  issues: { code: string; trucks: number }[];
  /** Distinct trucks. */
  not_listed: number;
}

export async function readAttention(db: Sql, accountId: string): Promise<Attention> {
  const [row] = await db.query<Attention>(ATTENTION, [accountId]);
  if (!row) throw new Error('the overview returned no row');
  return row;
}

const list = (columns: string, rows: string) =>
  `(select coalesce(json_agg(json_build_object(${columns})), '[]') from (${rows}) found)`;

const LISTED = `status = 'available'`;

/** A held run is open until a later one reads a file: one that failed may be newer. */
const HELD_RUNS = `
  select r.feed_id, f.name, r.id as run from feed_runs r join feeds f on f.account_id = r.account_id and f.id = r.feed_id
  where r.account_id = $1 and f.account_id = $1 and r.status = 'held' limit 20`;

/** Reads the account's search rows once, whatever is counted of them. */
const ATTENTION: Statement = {
  timeout: 'ingest',
  text: `
    with stock as (
      select count(*) filter (where ${LISTED})::int as available, count(*) filter (where status = 'sold')::int as sold,
        count(*) filter (where status = 'delisted')::int as delisted,
        count(*) filter (where ${LISTED} and not has_images)::int as bare,
        count(*) filter (where ${LISTED} and price is null)::int as priceless,
        count(*) filter (where ${LISTED} and dealer is null)::int as ownerless
      from listing_search where account_id = $1
    ), last_runs as (
      select distinct on (r.feed_id) r.feed_id, r.id as run, r.status, f.name
      from feed_runs r join feeds f on f.account_id = r.account_id and f.id = r.feed_id
      where r.account_id = $1 and f.account_id = $1 and f.id <> 'upload' and r.status not in ('queued', 'running')
      order by r.feed_id, r.no desc
    )
    select (select count(*)::int from leads where account_id = $1 and status = 'new') as new_leads,
      (select count(distinct l.id)::int from lead_deliveries d join leads l on l.account_id = d.account_id and l.id = d.lead_id
        where d.account_id = $1 and d.status = 'dead' and l.account_id = $1 and l.status = 'new') as undelivered,
      ${list(`'id', feed_id, 'name', name, 'run', run`, HELD_RUNS)} as held_feeds,
      ${list(`'id', feed_id, 'name', name, 'run', run`, `select * from last_runs where status = 'failed' limit 20`)} as failing_feeds,
      json_build_object('available', stock.available, 'sold', stock.sold, 'delisted', stock.delisted) as listings,
      stock.bare as without_images, stock.priceless as without_price, stock.ownerless as without_dealer,
      (select count(*)::int from dealers d where d.account_id = $1 and d.lead_email is null and d.lead_webhook_url is null
        and exists (select from listing_search s where s.account_id = $1 and s.dealer = d.slug and s.${LISTED})) as dealers_without_delivery,
      ${list(
        `'id', id, 'name', name, 'prefix', prefix, 'expires_at', ${iso('expires_at')}`,
        `select * from api_keys where account_id = $1 and revoked_at is null and expires_at > now()
          and expires_at < now() + interval '14 days' order by expires_at limit 20`,
      )} as ending_keys,
      ${list(
        `'code', code, 'trucks', n`,
        `select code, ${DISTINCT_TRUCKS} as n from issues
          where account_id = $1 and left_out_at is null group by code order by n desc, code`,
      )} as issues,
      (select ${DISTINCT_TRUCKS} from issues where account_id = $1 and left_out_at is null) as not_listed
    from stock`,
};
