import type { Sql, Statement } from '../sql.ts';
import { IS_CLAIMABLE } from './queue.ts';

interface Backlog {
  /** Age of the oldest pending delivery; null: none. Flagged leads do not count, because they may wait for days. */
  oldestLeadMs: number | null;
  /** For how long the oldest due feed run has waited for a worker. */
  oldestRunMs: number | null;
  /** Age of the first account, and so of the service. */
  oldestAccountMs: number | null;
  /** One sealed secret for each key that sealed any. */
  sealed: string[];
}

/** What waits across all accounts, for health. */
export async function readBacklog(sql: Sql) {
  const [row] = await sql.query<Backlog>(BACKLOG);
  if (!row) throw new Error('the backlog returned no row');
  return row;
}

const MS_SINCE = (time: string) => `(extract(epoch from now() - min(${time})) * 1000)::float8`;

const BACKLOG: Statement = {
  text: `
    /* all accounts */ with waiting as (
      select j.* from jobs j join accounts a on a.id = j.account_id where not a.suspended
    )
    select (select ${MS_SINCE('created_at')} from waiting where kind in ('email', 'webhook')) as "oldestLeadMs",
      (select ${MS_SINCE('due_at')} from waiting
        where kind = 'feed' and ${IS_CLAIMABLE}) as "oldestRunMs",
      (select ${MS_SINCE('created_at')} from accounts) as "oldestAccountMs",
      (select coalesce(json_agg(secret), '[]') from (
        select distinct on (split_part(secret, '.', 2)) secret
        from (select password as secret from feeds union all select private_key from feeds) as every
        where secret is not null) as samples) as sealed`,
};
