import type { Sql, Statement } from '../sql.ts';
import { DELIVERY_JOB } from './enqueue.ts';

/** Jobs of what waits without one, because a release before the table `jobs` wrote it, or a job was lost. */
export async function sweepJobs(sql: Sql): Promise<number> {
  let enqueued = 0;
  for (const select of WITHOUT_JOB) enqueued += (await sql.query(enqueueMissing(select))).length;
  return enqueued;
}

const enqueueMissing = (select: string): Statement => ({
  role: 'job',
  text: `
    /* all accounts */ insert into jobs (account_id, kind, key, due_at) ${select}
    on conflict (account_id, kind, key) do nothing returning key`,
});

/** Each across all accounts. */
const WITHOUT_JOB = [
  `select f.account_id, 'feed', f.id, f.next_run_at from feeds f where f.enabled and f.next_run_at is not null`,
  `select r.account_id, 'feed', r.feed_id, r.due_at from feed_runs r where r.status in ('queued', 'running')`,
  `select d.account_id, ${DELIVERY_JOB}, d.due_at from lead_deliveries d where d.status = 'pending'`,
  `select distinct s.account_id, 'photos', encode(hash, 'hex'), now() from image_sources s, unnest(s.waiting) as hash
    where s.status = 'pending'`,
  `select u.account_id, 'alert', u.kind, u.due_at from owner_alerts u where u.due_at is not null`,
];
