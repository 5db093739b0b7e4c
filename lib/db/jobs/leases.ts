import { eq } from 'drizzle-orm';
import { leases } from '../../../drizzle/schema/service.ts';
import { builder } from '../builder.ts';
import type { Sql, Statement } from '../sql.ts';

/** The lease of housekeeping, with a fencing token: crons may come late, doubled or not at all. Only the newest worker may write. */

/** Returns the fence; null while another worker's lease lasts. */
export async function acquireLease(db: Sql) {
  const [row] = await db.query<{ fence: number }>(ACQUIRE);
  return row?.fence ?? null;
}

/** Writes nothing once the lease was lost. */
export const releaseLease = (db: Sql, fence: number, result: object) =>
  db.query(RELEASE, [fence, JSON.stringify(result)]);

/** How housekeeping last ended; null: it never has. */
export async function readLastRun(db: Sql) {
  const [row] = await builder(db).select().from(leases).where(eq(leases.job, 'housekeeping'));
  return row?.finished_at ? { finishedAt: row.finished_at, result: row.result ?? {} } : null;
}

const ACQUIRE: Statement = {
  text: `
    insert into leases as l (job, fence, expires_at) values ('housekeeping', 1, now() + interval '300 seconds')
    on conflict (job) do update set fence = l.fence + 1, expires_at = excluded.expires_at where l.expires_at <= now()
    returning fence`,
};

const RELEASE: Statement = {
  text: `
    update leases set expires_at = now(), finished_at = now(), result = $2::jsonb
    where job = 'housekeeping' and fence = $1`,
};
