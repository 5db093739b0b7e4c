import { START_MOMENT, selectLocked } from '../fragments.ts';
import type { Sql, Statement } from '../sql.ts';

/** The table `jobs`, the one queue of work that waits for its time or for a worker: README.md beside this file. */

export const JOB_KINDS = ['feed', 'photos', 'email', 'webhook', 'flagged', 'dealer', 'alert'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** True of a row of `jobs` that is due and that no worker has a lease on. */
export const IS_CLAIMABLE = '(due_at <= now() and (leased_until is null or leased_until <= now()))';

/** A claimed job. */
export interface Job {
  accountId: string;
  kind: JobKind;
  /** The part of the account that the job is about. */
  key: string;
  /** The lease token: of two workers that believe to have the job only the newer one may write. */
  token: number;
  /** This try included. */
  tries: number;
  payload: Record<string, unknown> | null;
  /** The row's time at the claim: another time means that the job was enqueued again meanwhile. */
  dueAt: string;
  /** Seconds since the job was enqueued. */
  ageSeconds: number;
}

/** Jobs of an account; `key`: this one only, before all others. */
export interface JobsOf {
  accountId: string;
  key?: string | null;
}

/** A worker that is silent for so long has lost its job. */
const LEASE_END = `now() + interval '60 seconds'`;

/** Accounts with a job of the kind that is due, the longest waiting first. */
export const listWaiting = async (db: Sql, kind: JobKind) =>
  (await db.query<{ id: string }>(WAITING, [kind])).map(({ id }) => id);

/** The account's next job of the kind, or the named one; null when it is not due, or so many are being worked on. */
export async function claimJob(
  db: Sql,
  kind: JobKind,
  { accountId, key = null }: JobsOf,
  maxPerAccount: number,
) {
  const [job] = await db.query<Job>(CLAIM, [accountId, kind, maxPerAccount, key]);
  return job ?? null;
}

/** Extends the lease. False if it was lost. */
export const renewLease = async (db: Sql, job: Job) => (await db.query(RENEW, toPlace(job))).length > 0;

/**
 * Releases a job: it is done (null), or due again after so many seconds. A job that was enqueued again meanwhile
 * stays due. `isTry`: it counts as a try. False if the lease was lost; then nothing was written.
 */
export const releaseJob = async (db: Sql, job: Job, againSeconds: number | null, isTry: boolean) =>
  (await db.query(RELEASE, [...toPlace(job), job.dueAt, againSeconds, isTry ? 0 : 1])).length > 0;

/** Seconds until the first job of each kind is due, 0 or less when it is. */
export const listDue = (db: Sql) => db.query<{ kind: JobKind; seconds: number }>(DUE);

const toPlace = ({ accountId, kind, key, token }: Job) => [accountId, kind, key, token];

/** Jobs of suspended accounts rest. */
const WAITING: Statement = {
  timeout: 'job',
  text: `
    /* all accounts */ select j.account_id as id from jobs j join accounts a on a.id = j.account_id
    where j.kind = $1 and ${IS_CLAIMABLE} and not a.suspended
    group by j.account_id order by min(j.due_at) limit 100`,
};

/** A job keeps its place while it is worked on: so of an account's due jobs only the first $3 are ever taken. */
const CLAIM: Statement = {
  text: `
    with head as materialized (
      (select key from jobs where account_id = $1 and kind = $2 and due_at <= now()
        order by due_at, key limit $3::int)
      union all select $4::text
    ), next as materialized (${selectLocked(`
      select j.key, j.due_at::text as due from jobs j
      where j.account_id = $1 and j.kind = $2 and j.key in (select key from head) and ${IS_CLAIMABLE}
        and ($4::text is null or j.key = $4)
      order by j.due_at, j.key limit 1 for update of j skip locked`)}
    )
    update jobs j set leased_until = ${LEASE_END}, token = j.token + 1, tries = j.tries + 1
    from next, ${START_MOMENT}
    where j.account_id = $1 and j.kind = $2 and j.key = next.key
    returning j.account_id as "accountId", j.kind, j.key, j.token, j.tries, j.payload, next.due as "dueAt",
      extract(epoch from moment.at - j.created_at)::float8 as "ageSeconds"`,
};

const RENEW: Statement = {
  text: `
    update jobs set leased_until = ${LEASE_END}
    where account_id = $1 and kind = $2 and key = $3 and token = $4::int and leased_until is not null returning key`,
};

/** Decides by the locked row, so that it waits for a writer that enqueues the job meanwhile. */
const RELEASE: Statement = {
  text: `
    with mine as materialized (${selectLocked(`
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

const DUE: Statement = {
  timeout: 'job',
  text: `
    /* all accounts */ select j.kind, date_part('epoch', min(greatest(j.due_at, j.leased_until)) - now()) as seconds
    from jobs j join accounts a on a.id = j.account_id where not a.suspended group by j.kind`,
};
