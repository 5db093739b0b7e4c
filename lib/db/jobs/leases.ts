import { iso } from '../../inventory/queries/iso-time.ts';
import type { Sql, Statement } from '../sql.ts';
import type { Leases } from '../store.ts';

/** Job leases with fencing tokens: crons may come late, doubled or not at all. */
export function postgresLeases(sql: Sql): Leases {
  return {
    async acquire(job, seconds) {
      const [row] = await sql.query<{ fence: number }>(ACQUIRE, [job, seconds]);
      return row ?? null;
    },
    async release(job, fence, result) {
      const rows = await sql.query(RELEASE, [job, fence, JSON.stringify(result)]);
      return rows.length > 0;
    },
    async last(job) {
      const [row] = await sql.query<{ finished_at: string; result: Record<string, unknown> }>(LAST, [job]);
      return row ? { finishedAt: row.finished_at, result: row.result } : null;
    },
  };
}

const ACQUIRE: Statement = {
  text: `
    insert into leases as l (job, fence, expires_at) values ($1, 1, now() + make_interval(secs => $2::int))
    on conflict (job) do update set fence = l.fence + 1, expires_at = excluded.expires_at where l.expires_at <= now()
    returning fence`,
};

const RELEASE: Statement = {
  text: `
    update leases set expires_at = now(), finished_at = now(), result = $3::jsonb where job = $1 and fence = $2
    returning job`,
};

const LAST: Statement = {
  text: `
    select ${iso('finished_at')} as finished_at, result
    from leases where job = $1 and finished_at is not null`,
};
