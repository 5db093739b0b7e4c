import { locked } from '../../inventory/queries/row-locks.ts';
import { START_MOMENT } from '../connection/moments.ts';
import type { Sql, Statement } from '../sql.ts';
import { IS_CLAIMABLE } from './conditions.ts';
import type { Job, Jobs } from './jobs.ts';
import { sweepJobs } from './sweep.ts';

/** The table `jobs`: README.md beside this file. */
export function postgresJobs(sql: Sql): Jobs {
  const own = ({ accountId, kind, key, token }: Job) => [accountId, kind, key, token];
  return {
    waiting: async (kind) => (await sql.query<{ id: string }>(WAITING, [kind])).map(({ id }) => id),
    async claim(kind, { accountId, key = null }, maxPerAccount, leaseSeconds) {
      const [job] = await sql.query<Job>(CLAIM, [accountId, kind, leaseSeconds, maxPerAccount, key]);
      return job ?? null;
    },
    heartbeat: async (job, leaseSeconds) =>
      (await sql.query(HEARTBEAT, [...own(job), leaseSeconds])).length > 0,
    release: async (job, againSeconds, isTry) =>
      (await sql.query(RELEASE, [...own(job), job.dueAt, againSeconds, isTry ? 0 : 1])).length > 0,
    due: () => sql.query(DUE),
    sweep: () => sweepJobs(sql),
  };
}

/** Across all accounts. Jobs of suspended ones rest. */
const WAITING: Statement = {
  role: 'job',
  text: `
    /* all accounts */ select j.account_id as id from jobs j join accounts a on a.id = j.account_id
    where j.kind = $1 and ${IS_CLAIMABLE} and not a.suspended
    group by j.account_id order by min(j.due_at) limit 100`,
};

/** A job keeps its place while it is worked on: so of an account's due jobs only the first $4 are ever taken. */
const CLAIM: Statement = {
  text: `
    with head as materialized (
      (select key from jobs where account_id = $1 and kind = $2 and due_at <= now()
        order by due_at, key limit $4::int)
      union all select $5::text
    ), next as materialized (${locked(`
      select j.key, j.due_at::text as due from jobs j
      where j.account_id = $1 and j.kind = $2 and j.key in (select key from head) and ${IS_CLAIMABLE}
        and ($5::text is null or j.key = $5)
      order by j.due_at, j.key limit 1 for update of j skip locked`)}
    )
    update jobs j set leased_until = now() + make_interval(secs => $3::int), token = j.token + 1, tries = j.tries + 1
    from next, ${START_MOMENT}
    where j.account_id = $1 and j.kind = $2 and j.key = next.key
    returning j.account_id as "accountId", j.kind, j.key, j.token, j.tries, j.payload, next.due as "dueAt",
      extract(epoch from moment.at - j.created_at)::float8 as "ageSeconds"`,
};

const HEARTBEAT: Statement = {
  text: `
    update jobs set leased_until = now() + make_interval(secs => $5::int)
    where account_id = $1 and kind = $2 and key = $3 and token = $4::int and leased_until is not null returning key`,
};

/** Decides by the locked row: whoever enqueues the job meanwhile is waited for. */
const RELEASE: Statement = {
  text: `
    with mine as materialized (${locked(`
      select key, due_at = $5::timestamptz as is_as_claimed from jobs
      where account_id = $1 and kind = $2 and key = $3 and token = $4::int for update`)}
    ), done as (
      delete from jobs j using mine where j.account_id = $1 and j.kind = $2 and j.key = mine.key
        and $6::float8 is null and mine.is_as_claimed returning j.key
    ), kept as (
      update jobs j set leased_until = null, tries = greatest(0, j.tries - $7::int),
        due_at = case when mine.is_as_claimed then later.at else j.due_at end
      from mine, (select now() + make_interval(secs => coalesce($6::float8, 0)) as at) later
      where j.account_id = $1 and j.kind = $2 and j.key = mine.key
        and ($6::float8 is not null or not mine.is_as_claimed) returning j.key
    )
    select key from done union all select key from kept`,
};

/** Across all accounts. */
const DUE: Statement = {
  role: 'job',
  text: `
    /* all accounts */ select j.kind, date_part('epoch', min(greatest(j.due_at, j.leased_until)) - now()) as seconds
    from jobs j join accounts a on a.id = j.account_id where not a.suspended group by j.kind`,
};
