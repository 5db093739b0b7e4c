import { maxStored } from '../../accounts/access.ts';
import { HOME, lockTimeout, selectLocked } from '../../db/fragments.ts';
import type { Job } from '../../db/jobs/queue.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import { CHANGED_NOW } from '../../inventory/queries/search-row.ts';
import type { ImageStatus } from '../../truck/fields.ts';
import type { ImageVerdict, StoredImage } from '../image.ts';

/** States of the images that an account's listings name. */

/**
 * States of a listing's images; none if the listing is gone. `reason`: why the image, or its last try, failed. An
 * image that failed a day ago is pending again.
 */
export const readImageStates = (db: Sql, accountId: string, dedupHash: string) =>
  db.query<{ url: string; status: ImageStatus; reason: string | null }>(STATES, [accountId, dedupHash]);

/** Nothing is written once the worker has lost its job. What is stored stays stored. */
export async function saveVerdict(
  db: Sql,
  { accountId, key, token }: Job,
  url: string,
  { status, reason, image }: ImageVerdict,
) {
  const stored = image ? JSON.stringify(image) : null;
  await db.query(SAVE, [accountId, url, status, reason ?? null, stored, key, token]);
}

/** Marks a listing as changed if its images were settled since its last change. Throws `LockTimeout`. */
export async function announceImages(db: Sql, accountId: string, dedupHash: string) {
  await db.query(ANNOUNCE, [accountId, dedupHash]);
}

/** Returns the account's stored image of the same bytes; null if it has none. */
export async function readStoredImage(db: Sql, accountId: string, hash: string) {
  const [row] = await db.query<StoredImage>(STORED, [accountId, hash]);
  return row ?? null;
}

/** True if the account stores as many bytes of photos as it may. */
export const isFull = async (db: Sql, accountId: string) => (await db.query(FULL, [accountId])).length > 0;

/** How long an image stays failed before it is fetched again. */
const DEAD_FOR = '24 hours';

/** The order is random, so that a photo that kills its workers does not always block the same others. */
const STATES: Statement = {
  timeout: 'job',
  text: `
    select named.url, s.reason,
      case when s.status = 'failed' and s.updated_at < now() - interval '${DEAD_FOR}' then 'pending'
        else coalesce(s.status, 'pending') end as status
    from listings l, json_array_elements_text(l.images) as named(url)
      left join image_sources s on s.account_id = $1 and s.url_hash = sha256(convert_to(named.url, 'UTF8'))
    where l.account_id = $1 and l.dedup_hash = decode($2, 'hex') and l.version > 0
    order by random()`,
};

/** A worker's verdict counts while it has the job: $6 its key, $7 its token. */
const SAVE: Statement = {
  timeout: 'job',
  text: `
    with mine as materialized (
      select 1 from jobs where account_id = $1 and kind = 'photos' and key = $6 and token = $7::int
    ), kept as (
      insert into stored_images (account_id, hash, width, height, original, placeholder, renditions, bytes)
      select home.account_id, decode($5::json->>'hash', 'hex'), ($5::json->>'width')::int, ($5::json->>'height')::int,
        $5::json->>'original', $5::json->>'placeholder', $5::json->'renditions', ($5::json->>'bytes')::int
      from ${HOME}, mine where $5::json is not null
      on conflict (account_id, hash) do update set unused_since = null
    ), noted as (
      insert into image_sources as s (account_id, url_hash, url, host, status, reason, image_hash)
      select home.account_id, sha256(convert_to($2, 'UTF8')), $2, '', $3, $4, decode($5::json->>'hash', 'hex')
      from ${HOME}, mine
      on conflict (account_id, url_hash) do update set status = excluded.status, reason = excluded.reason,
        image_hash = excluded.image_hash, updated_at = excluded.updated_at, waiting = null
      where s.status <> 'stored'
    )
    select 1 as one`,
};

const ANNOUNCE: Statement = {
  timeout: 'job',
  text: `
    with ${lockTimeout('5s')}, target as materialized (${selectLocked(`
      select l.dedup_hash from lock_timeout, listings l
      where l.account_id = $1 and l.dedup_hash = decode($2, 'hex') and l.version > 0 and exists (
        select 1 from json_array_elements_text(l.images) as named(url) join image_sources s
          on s.account_id = $1 and s.url_hash = sha256(convert_to(named.url, 'UTF8'))
        where s.updated_at > l.updated_at)
      for update of l`)}
    ), touched as (
      update listings l set updated_at = now() from target t where l.account_id = $1 and l.dedup_hash = t.dedup_hash
    )
    update listing_search s set ${CHANGED_NOW} from target t
    where s.account_id = $1 and s.dedup_hash = t.dedup_hash`,
};

const FULL: Statement = {
  timeout: 'job',
  text: `
    select 1 as one from stored_images where account_id = $1
    having sum(bytes) >= ${maxStored('photo_bytes', '$1')}`,
};

const STORED: Statement = {
  text: `
    select encode(hash, 'hex') as hash, width, height, original, placeholder, renditions, bytes from stored_images
    where account_id = $1 and hash = decode($2, 'hex') and unused_since is null`,
};
