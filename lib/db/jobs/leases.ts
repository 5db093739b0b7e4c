import { eq } from 'drizzle-orm';
import { leases } from '../../../drizzle/schema/service.ts';
import { builder } from '../builder.ts';
import type { Sql, Statement } from '../sql.ts';

/** Job leases with fencing tokens: crons may come late, doubled or not at all. Only the newest worker may write. */

/** The fence; null while another worker's lease lasts. */
export async function acquireLease(db: Sql, job: string, seconds: number) {
  const [row] = await db.query<{ fence: number }>(ACQUIRE, [job, seconds]);
  return row?.fence ?? null;
}

/** Nothing is written once the lease was lost. */
export async function releaseLease(db: Sql, job: string, fence: number, result: object) {
  await db.query(RELEASE, [job, fence, JSON.stringify(result)]);
}

/** How the job last ended; null: it never has. */
export async function readLastRun(db: Sql, job: string) {
  const [row] = await builder(db).select().from(leases).where(eq(leases.job, job));
  return row?.finished_at ? { finishedAt: row.finished_at, result: row.result ?? {} } : null;
}

const ACQUIRE: Statement = {
  text: `
    insert into leases as l (job, fence, expires_at) values ($1, 1, now() + make_interval(secs => $2::int))
    on conflict (job) do update set fence = l.fence + 1, expires_at = excluded.expires_at where l.expires_at <= now()
    returning fence`,
};

const RELEASE: Statement = {
  text: `
    update leases set expires_at = now(), finished_at = now(), result = $3::jsonb where job = $1 and fence = $2`,
};
