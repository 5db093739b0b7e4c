import type { DueJobs } from '../../../ports/store.ts';
import type { Sql, Statement } from '../connection/sql.ts';

export async function readDueJobs(sql: Sql): Promise<DueJobs> {
  const [row] = await sql.query<DueJobs>(DUE_JOBS);
  if (!row) throw new Error('the queues returned no row');
  return row;
}

const seconds = (due: string) => `date_part('epoch', (${due}) - now())`;

/** Across all accounts: when the first job of each queue is due, from the head of its index. */
const DUE_JOBS: Statement = {
  text: `
    select
      (select ${seconds(`min(moved_at) + interval '1 minute'`)} from dealers
        where moved_at is distinct from followed_at) as dealers,
      ${seconds(`least(
        (select min(due_at) from image_sources where status = 'pending' and claims = 0),
        (select min(due_at) from image_sources where status = 'pending' and claims > 0),
        (select now() from image_sources where status <> 'pending' and waiting is not null limit 1))`)} as images,
      (select ${seconds('min(due_at)')} from lead_deliveries where status = 'pending') as leads,
      ${seconds(`least(
        (select f.next_run_at from feeds f join accounts a on a.id = f.account_id
          where f.enabled and not a.suspended order by f.next_run_at limit 1),
        (select min(due_at) from feed_runs where status in ('queued', 'running')))`)} as feeds,
      (select ${seconds('min(due_at)')} from owner_alerts where due_at is not null) as alerts`,
};
