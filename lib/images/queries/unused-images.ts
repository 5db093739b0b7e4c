import { enqueue } from '../../db/jobs/enqueue.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import type { UnusedImage } from '../image.ts';

/**
 * Stored images that no URL names any more. They are marked first and removed a day later: whoever fetches one in
 * between stores its bytes anew, and removes the mark.
 */

/** Marks stored images that no URL names; returns those that have been marked for a day, at most `max`. */
export async function findUnused(db: Sql, accountId: string, max: number): Promise<UnusedImage[]> {
  await db.query(MARK, [accountId]);
  return db.query(UNUSED, [accountId, max]);
}

/** Those of these images that other accounts use too. */
export async function listUsedElsewhere(
  db: Sql,
  accountId: string,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ hash: string }>(USED_ELSEWHERE, [accountId, JSON.stringify(hashes)]);
  return new Set(rows.map(({ hash }) => hash));
}

/** Forgets images whose objects are gone, but for those that came into use meanwhile. */
export async function deleteStored(db: Sql, accountId: string, hashes: readonly string[]) {
  await db.query(REMOVE, [accountId, JSON.stringify(hashes)]);
}

/** Has those of these images, whose objects are gone, fetched again that any account uses by now. */
export async function refetch(db: Sql, hashes: readonly string[]) {
  const lostSources = await db.query<{ accountId: string; url: string }>(LOST, [JSON.stringify(hashes)]);
  for (const [accountId, sources] of Map.groupBy(lostSources, (source) => source.accountId))
    await db.query(FETCH_AGAIN, [accountId, JSON.stringify(sources.map(({ url }) => url))]);
}

const decodeHashes = (parameter: string) =>
  `(select decode(h, 'hex') from json_array_elements_text(${parameter}::json) as named(h))`;

const UNNAMED = `not exists (select 1 from image_sources s where s.account_id = $1 and s.image_hash = i.hash)`;

const MARK: Statement = {
  timeout: 'job',
  text: `update stored_images i set unused_since = now() where i.account_id = $1 and unused_since is null and ${UNNAMED}`,
};

const UNUSED: Statement = {
  timeout: 'job',
  text: `
    select encode(hash, 'hex') as hash, original, renditions from stored_images i
    where i.account_id = $1 and unused_since < now() - interval '1 day' and ${UNNAMED} order by unused_since limit $2::int`,
};

/** Across accounts: bytes are stored once for all. */
const USED_ELSEWHERE: Statement = {
  timeout: 'job',
  text: `
    /* all accounts */ select distinct encode(hash, 'hex') as hash from stored_images
    where account_id <> $1 and unused_since is null and hash in ${decodeHashes('$2')}`,
};

const REMOVE: Statement = {
  timeout: 'job',
  text: `delete from stored_images i where i.account_id = $1 and unused_since is not null and hash in ${decodeHashes('$2')}`,
};

/** Across accounts: what came into use again while its bytes were being removed. */
const LOST: Statement = {
  timeout: 'job',
  text: `
    /* all accounts */ with lost as (
      update stored_images set unused_since = now() where unused_since is null and hash in ${decodeHashes('$1')}
      returning account_id, hash
    )
    delete from image_sources s using lost where s.account_id = lost.account_id and s.image_hash = lost.hash
    returning s.account_id as "accountId", s.url`,
};

const FETCH_AGAIN: Statement = {
  timeout: 'job',
  text: enqueue(`
      select l.account_id, 'photos', encode(l.dedup_hash, 'hex') from listings l
      where l.account_id = $1 and exists (select 1 from json_array_elements_text(l.images) as named(url)
        where named.url in (select json_array_elements_text($2::json)))`),
};
