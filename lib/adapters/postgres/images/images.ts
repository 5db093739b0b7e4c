import type { AccountImages, ImageJob, ImageSource, Images, StoredImage } from '../../../ports/images.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { announceSettled } from './announce-settled.ts';
import { DEAD_FOR, parseHost } from './image-urls.ts';

/**
 * The queue of images to fetch, and what became of them. A claim is a lease (`due_at` moves on) with a fencing token;
 * every verdict names the token, so that a worker that slept through its lease changes nothing.
 */
export function postgresImages(sql: Sql): Images {
  /** A verdict on a job; true when the lease was still this worker's. */
  const rule = async (statement: Statement, { accountId, url, fence }: ImageJob, ...params: unknown[]) =>
    (await sql.query(statement, [accountId, url, fence, ...params])).length > 0;
  return {
    of: (accountId) => accountImages(sql, accountId),
    async claim(limit, leaseSeconds, which) {
      if (which === 'suspects') await sql.query(PARK, [MOST_CLAIMS]);
      return sql.query<ImageJob>(which === 'suspects' ? CLAIM_SUSPECTS : CLAIM, [limit, leaseSeconds]);
    },
    store: (job, { hash, width, height, original, placeholder, renditions }) =>
      rule(STORE, job, hash, width, height, original, placeholder, JSON.stringify(renditions)),
    fail: (job, reason) => rule(FAIL, job, reason),
    retry: (job, reason, delaySeconds, counted) => rule(RETRY, job, reason, delaySeconds, counted ? 1 : 0),
    async retryAll(retries) {
      if (retries.length === 0) return;
      const rows = retries.map(({ job: { accountId, url, fence }, reason, delaySeconds, counted }) => ({
        account: accountId,
        url,
        fence,
        reason,
        delay: delaySeconds,
        counted: counted ? 1 : 0,
      }));
      await sql.query(RETRY_ALL, [JSON.stringify(rows)]);
    },
    announceSettled: () => announceSettled(sql),
  };
}

/** Workers that may vanish over one image before it is parked. */
const MOST_CLAIMS = 3;

function accountImages(sql: Sql, accountId: string): AccountImages {
  return {
    async take(urls, leaseSeconds) {
      const wanted = JSON.stringify([...new Set(urls)].map((url) => ({ url, host: parseHost(url) })));
      const rows = await sql.query<TakenRow>(TAKE, [accountId, wanted, leaseSeconds]);
      return rows.map(({ url, status, reason, host, attempts, fence }) => ({
        url,
        status,
        reason,
        job: fence === null ? null : { accountId, url, host, attempts: attempts ?? 0, fence },
      }));
    },
    async stored(hash) {
      const [row] = await sql.query<StoredImage>(STORED, [accountId, hash]);
      return row ?? null;
    },
  };
}

interface TakenRow extends ImageSource {
  host: string;
  attempts: number | null;
  fence: number | null;
}

const JOB = `s.account_id as "accountId", s.url, s.host, s.attempts, s.fence`;
const LEASED = 'fence = s.fence + 1, claims = s.claims + 1, due_at = now() + make_interval(secs => $2::int)';

/**
 * Across all accounts in turn, of each the longest due first: one index step per account with something pending, so that
 * thousands of images on a slow host keep nobody else's waiting.
 */
const CLAIM: Statement = {
  role: 'job',
  text: `
    with recursive accounts as (
      (select account_id from image_sources where status = 'pending' and claims = 0 order by account_id limit 1)
      union all
      select later.account_id from accounts a, lateral (
        select account_id from image_sources
        where status = 'pending' and claims = 0 and account_id > a.account_id order by account_id limit 1) as later
    ), next as (
      select q.*, row_number() over (partition by q.account_id order by q.due_at) as turn
      from accounts a, lateral (
        select account_id, url_hash, due_at from image_sources
        where status = 'pending' and claims = 0 and account_id = a.account_id and due_at <= now()
        order by due_at limit $1::int) as q
      order by turn, due_at limit $1::int
    )
    update image_sources s set ${LEASED}
    from (select free.* from next n, lateral (
        select account_id, url_hash from image_sources
        where account_id = n.account_id and url_hash = n.url_hash and status = 'pending' and claims = 0
          and due_at <= now() for update skip locked) as free) as due
    where s.account_id = due.account_id and s.url_hash = due.url_hash
    returning ${JOB}`,
};

/** Across all accounts: those whose lease ran out without a verdict. */
const CLAIM_SUSPECTS: Statement = {
  role: 'job',
  text: `
    update image_sources s set ${LEASED}
    from (select account_id, url_hash from image_sources where status = 'pending' and claims > 0 and due_at <= now()
      order by due_at limit $1::int for update skip locked) as due
    where s.account_id = due.account_id and s.url_hash = due.url_hash
    returning ${JOB}`,
};

/** Across all accounts: what stopped one worker after the other is left alone. */
const PARK: Statement = {
  role: 'job',
  text: `
    update image_sources s set status = 'failed', reason = 'parked', updated_at = now()
    from (select account_id, url_hash from image_sources where status = 'pending' and claims >= $1::int
      and due_at <= now() for update skip locked) as poison
    where s.account_id = poison.account_id and s.url_hash = poison.url_hash`,
};

/** Never waits: what another worker has leased is returned as it is, without a job. */
const TAKE: Statement = {
  role: 'ingest',
  text: `
    with wanted as (
      select url, host, sha256(convert_to(url, 'UTF8')) as hash from json_to_recordset($2::json) as w(url text, host text)
    ), taken as (
      insert into image_sources as s (account_id, url_hash, url, host, claims, fence, due_at)
      select $1, hash, url, host, 1, 1, now() + make_interval(secs => $3::int) from wanted order by hash
      on conflict (account_id, url_hash) do update set status = 'pending', fence = s.fence + 1, claims = s.claims + 1,
        due_at = excluded.due_at, attempts = case when s.status = 'failed' then 0 else s.attempts end
      where s.status = 'pending' and (s.claims = 0 or s.due_at <= now())
        or s.status = 'failed' and s.updated_at < now() - interval '${DEAD_FOR}'
      returning url, attempts, fence
    )
    select w.url, w.host, case when t.fence is null then coalesce(s.status, 'pending') else 'pending' end as status,
      case when t.fence is null then s.reason end as reason, t.attempts, t.fence
    from wanted w left join taken t on t.url = w.url
      left join image_sources s on s.account_id = $1 and s.url_hash = w.hash`,
};

const MINE = `url_hash = sha256(convert_to($2, 'UTF8')) and fence = $3::int and status = 'pending'`;

const STORE: Statement = {
  role: 'job',
  text: `
    with done as (
      update image_sources set status = 'stored', reason = null, claims = 0, image_hash = decode($4, 'hex'),
        updated_at = now()
      where account_id = $1 and ${MINE} returning image_hash
    ), kept as (
      insert into stored_images (account_id, hash, width, height, original, placeholder, renditions)
      select $1, image_hash, $5::int, $6::int, $7, $8, $9::json from done
      on conflict (account_id, hash) do update set unused_since = null
    )
    select true as done from done`,
};

const FAIL: Statement = {
  role: 'job',
  text: `
    update image_sources set status = 'failed', reason = $4, claims = 0, updated_at = now()
    where account_id = $1 and ${MINE} returning url`,
};

const RETRY: Statement = {
  role: 'job',
  text: `
    update image_sources set reason = coalesce($4, reason), claims = 0, attempts = attempts + $6::int,
      due_at = now() + make_interval(secs => $5::int), updated_at = now()
    where account_id = $1 and ${MINE} returning url`,
};

/** Across accounts, each row by its own. Locks in the order in which batches do. */
const RETRY_ALL: Statement = {
  role: 'job',
  text: `
    with held as (
      select s.account_id, s.url_hash, r.reason, r.delay, r.counted
      from json_to_recordset($1::json) as r(account text, url text, fence int, reason text, delay int, counted int)
        join image_sources s on s.account_id = r.account and s.url_hash = sha256(convert_to(r.url, 'UTF8'))
          and s.fence = r.fence
      where s.status = 'pending' order by s.account_id, s.url_hash for update of s
    )
    update image_sources s set reason = coalesce(h.reason, s.reason), claims = 0, attempts = s.attempts + h.counted,
      due_at = now() + make_interval(secs => h.delay), updated_at = now()
    from held h where s.account_id = h.account_id and s.url_hash = h.url_hash`,
};

const STORED: Statement = {
  text: `
    select encode(hash, 'hex') as hash, width, height, original, placeholder, renditions from stored_images
    where account_id = $1 and hash = decode($2, 'hex') and unused_since is null`,
};
