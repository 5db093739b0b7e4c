import { iso } from '../db/fragments.ts';
import type { Sql, Statement } from '../db/sql.ts';
import type { DeliveryKind } from '../leads/statuses.ts';

/** Of all accounts; `id` is that of the account. */
interface Troubles {
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

/** Reads the feeds and deliveries of all accounts that need a person. */
export async function readTroubles(db: Sql): Promise<Troubles> {
  const [troubles] = await db.query<Troubles>(TROUBLES);
  if (!troubles) throw new Error('the troubles returned no row');
  return troubles;
}

const TROUBLES: Statement = {
  timeout: 'job',
  text: `
    /* all accounts */ with last_runs as (
      select distinct on (r.account_id, r.feed_id) r.account_id, r.feed_id, r.status, r.finished_at, r.error
      from feed_runs r where r.status not in ('queued', 'running') and r.created_at > now() - interval '30 days'
      order by r.account_id, r.feed_id, r.no desc
    ), feed_troubles as (
      select a.id, a.name as account, f.name as feed, l.status, ${iso('l.finished_at')} as at,
        l.error ->> 'message' as message
      from last_runs l join feeds f on f.account_id = l.account_id and f.id = l.feed_id
        join accounts a on a.id = l.account_id
      where l.status in ('held', 'failed') and f.enabled and not a.suspended order by l.finished_at desc limit 50
    ), undelivered as (
      select a.id, a.name as account, d.dealer, d.kind, count(*)::int as leads, max(d.last_error) as message
      from lead_deliveries d join accounts a on a.id = d.account_id
      where d.status = 'dead' and d.created_at > now() - interval '7 days'
      group by a.id, a.name, d.dealer, d.kind order by count(*) desc limit 50
    )
    select (select coalesce(json_agg(t), '[]') from feed_troubles t) as feeds,
      (select coalesce(json_agg(u), '[]') from undelivered u) as deliveries`,
};
