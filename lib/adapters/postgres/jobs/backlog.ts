import type { Backlog } from '../../../ports/store.ts';
import type { Sql, Statement } from '../connection/sql.ts';

/** What waits across all accounts, for health: ages, and one sealed secret for each key that sealed any. */
export async function readBacklog(sql: Sql): Promise<Backlog> {
  const [row] = await sql.query<Backlog>(BACKLOG);
  return row ?? { oldestLeadMs: null, oldestRunMs: null, oldestAccountMs: null, sealed: [] };
}

const AGE_MS = `(extract(epoch from now() - min(created_at)) * 1000)::float8`;

const BACKLOG: Statement = {
  text: `
    select (select ${AGE_MS} from lead_deliveries where status = 'pending') as "oldestLeadMs",
      (select ${AGE_MS} from feed_runs where status = 'queued') as "oldestRunMs",
      (select ${AGE_MS} from accounts) as "oldestAccountMs",
      (select coalesce(json_agg(secret), '[]') from (
        select distinct on (split_part(secret, '.', 2)) secret
        from (select password as secret from feeds union all select private_key from feeds) as every
        where secret is not null) as samples) as sealed`,
};
