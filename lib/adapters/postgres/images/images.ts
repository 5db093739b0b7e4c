import type { AccountImages, ImageJob, ImageSource, Images, StoredImage } from '../../../ports/images.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { HOME } from '../listings/home.ts';
import { maxStored } from '../listings/max-stored.ts';
import { locked } from '../listings/row-locks.ts';
import { announceSettled } from './announce-settled.ts';
import { claimImages } from './claim-images.ts';
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
    claim: (limit, leaseSeconds, which) => claimImages(sql, limit, leaseSeconds, which),
    store: (job, { hash, width, height, original, placeholder, renditions, bytes }) =>
      rule(STORE, job, hash, width, height, original, placeholder, JSON.stringify(renditions), bytes),
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
      if (!sql.isDistributed) await sql.query(RETRY_ALL, [JSON.stringify(rows)]);
      else
        for (const [account, some] of Map.groupBy(rows, (row) => row.account))
          await sql.query(RETRY_ALL_OF_ACCOUNT, [JSON.stringify(some), account]);
    },
    announceSettled: () => announceSettled(sql),
    async findFull(accountIds) {
      const rows = await sql.query<{ id: string }>(FULL, [[...new Set(accountIds)]]);
      return new Set(rows.map(({ id }) => id));
    },
  };
}

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

/** Never waits: what another worker has leased is returned as it is, without a job. */
const TAKE: Statement = {
  role: 'ingest',
  text: `
    with wanted as (
      select url, host, sha256(convert_to(url, 'UTF8')) as hash from json_to_recordset($2::json) as w(url text, host text)
    ), taken as (
      insert into image_sources as s (account_id, url_hash, url, host, claims, fence, due_at)
      select home.account_id, hash, url, host, 1, 1, now() + make_interval(secs => $3::int) from ${HOME}, wanted order by hash
      on conflict (account_id, url_hash) do update set status = 'pending', fence = s.fence + 1, claims = s.claims + 1,
        due_at = excluded.due_at, attempts = case when s.status = 'failed' then 0 else s.attempts end
      where s.status = 'pending' and (s.claims = 0 or s.due_at <= excluded.updated_at)
        or s.status = 'failed' and excluded.updated_at - s.updated_at > interval '${DEAD_FOR}'
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
      insert into stored_images (account_id, hash, width, height, original, placeholder, renditions, bytes)
      select home.account_id, image_hash, $5::int, $6::int, $7, $8, $9::json, $10::int from ${HOME}, done
      on conflict (account_id, hash) do update set unused_since = null
    )
    select true as done from done`,
};

/** Across accounts, each by its own. */
const FULL: Statement = {
  role: 'job',
  text: `
    select account_id as id from (
      select account_id, sum(bytes) as bytes from stored_images where account_id = any($1::text[]) group by account_id) used
    where bytes >= ${maxStored('photo_bytes', 'used.account_id')}`,
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

/** Across accounts, each row by its own, or of one by `scope`. Locks in the order in which batches do. */
const retryAll = (scope: string): Statement => ({
  role: 'job',
  text: `
    with held as (${locked(`
      select s.account_id, s.url_hash, r.reason, now() + make_interval(secs => r.delay) as due_at, r.counted
      from json_to_recordset($1::json) as r(account text, url text, fence int, reason text, delay int, counted int)
        join image_sources s on s.account_id = r.account and s.url_hash = sha256(convert_to(r.url, 'UTF8'))
          and s.fence = r.fence
      where ${scope} s.status = 'pending' order by s.account_id, s.url_hash for update of s`)}
    )
    update image_sources s set reason = coalesce(h.reason, s.reason), claims = 0, attempts = s.attempts + h.counted,
      due_at = h.due_at, updated_at = now()
    from held h where ${scope} s.account_id = h.account_id and s.url_hash = h.url_hash`,
});
const RETRY_ALL = retryAll('');
const RETRY_ALL_OF_ACCOUNT = retryAll('s.account_id = $2 and');

const STORED: Statement = {
  text: `
    select encode(hash, 'hex') as hash, width, height, original, placeholder, renditions, bytes from stored_images
    where account_id = $1 and hash = decode($2, 'hex') and unused_since is null`,
};
