import { iso } from '../db/fragments.ts';
import { IS_DELIVERY } from '../db/jobs/enqueue.ts';
import { readLastRun } from '../db/jobs/leases.ts';
import { IS_CLAIMABLE } from '../db/jobs/queue.ts';
import type { Statement } from '../db/sql.ts';
import type { Context } from '../http/context.ts';
import type { DeliveryKind } from '../leads/states.ts';

/** Of all accounts; `id` is that of the account. */
interface Operations {
  queuedRuns: number;
  runningRuns: number;
  waitingLeads: number;
  retriedLeads: number;
  waitingImages: number;
  waitingMails: number;
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

/** How feeds, queues and deliveries of all accounts do, and when housekeeping last ended. */
export async function readOperations({ ports }: Context) {
  const [[operations], last, { freeBytes }] = await Promise.all([
    ports.db.query<Operations>(OPERATIONS),
    readLastRun(ports.db),
    ports.disk.free(),
  ]);
  if (!operations) throw new Error('the operations returned no row');
  /** That files are kept on, and the database of `npm start`. */
  const disk = { freeMb: Math.floor(freeBytes / 1024 ** 2) };
  return { ...operations, lastHousekeeping: last?.finishedAt ?? null, disk };
}

const OPERATIONS: Statement = {
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
    select count(*) filter (where kind = 'feed' and is_due)::int as "queuedRuns",
      count(*) filter (where kind = 'feed' and leased_until > now())::int as "runningRuns",
      count(*) filter (where is_lead)::int as "waitingLeads",
      count(*) filter (where is_lead and tries > 0)::int as "retriedLeads",
      count(*) filter (where kind = 'photos')::int as "waitingImages",
      count(*) filter (where kind = 'alert' and is_due)::int as "waitingMails",
      (select coalesce(json_agg(t), '[]') from feed_troubles t) as feeds,
      (select coalesce(json_agg(u), '[]') from undelivered u) as deliveries
    from (
      select kind, tries, leased_until, ${IS_DELIVERY} as is_lead, ${IS_CLAIMABLE} as is_due
      from jobs) waiting`,
};
