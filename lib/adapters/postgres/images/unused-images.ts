import type { ImageUpkeep, UnusedImage } from '../../../ports/images.ts';
import type { Sql, Statement } from '../connection/sql.ts';

/**
 * Stored images that no URL stands for any more. They are marked first and removed a day later: whoever fetches one in
 * between stores its bytes anew, and takes the mark away.
 */
export function unusedImages(
  sql: Sql,
): Pick<ImageUpkeep, 'findUnused' | 'usedElsewhere' | 'removeStored' | 'refetch'> {
  const asHashes = (rows: readonly { hash: string }[]) => new Set(rows.map(({ hash }) => hash));
  return {
    async findUnused(accountId, max) {
      await sql.query(MARK, [accountId]);
      return sql.query<UnusedImage>(UNUSED, [accountId, max]);
    },
    usedElsewhere: async (accountId, hashes) =>
      asHashes(await sql.query<{ hash: string }>(USED_ELSEWHERE, [accountId, JSON.stringify(hashes)])),
    async removeStored(accountId, hashes) {
      await sql.query(REMOVE, [accountId, JSON.stringify(hashes)]);
    },
    refetch: async (hashes) => (await sql.query(REFETCH, [JSON.stringify(hashes)])).length,
  };
}

const named = (parameter: string) =>
  `(select decode(h, 'hex') from json_array_elements_text(${parameter}::json) as named(h))`;

const UNNAMED = `not exists (select 1 from image_sources s where s.account_id = $1 and s.image_hash = i.hash)`;

const MARK: Statement = {
  role: 'job',
  text: `update stored_images i set unused_since = now() where i.account_id = $1 and unused_since is null and ${UNNAMED}`,
};

const UNUSED: Statement = {
  role: 'job',
  text: `
    select encode(hash, 'hex') as hash, original, renditions from stored_images i
    where i.account_id = $1 and unused_since < now() - interval '1 day' and ${UNNAMED} order by unused_since limit $2::int`,
};

/** Across accounts: bytes are stored once for all. */
const USED_ELSEWHERE: Statement = {
  role: 'job',
  text: `
    select distinct encode(hash, 'hex') as hash from stored_images
    where account_id <> $1 and unused_since is null and hash in ${named('$2')}`,
};

const REMOVE: Statement = {
  role: 'job',
  text: `delete from stored_images i where i.account_id = $1 and unused_since is not null and hash in ${named('$2')}`,
};

/** Across accounts: what came into use again while its bytes were being removed. */
const REFETCH: Statement = {
  role: 'job',
  text: `
    with lost as (
      update stored_images set unused_since = now() where unused_since is null and hash in ${named('$1')}
      returning account_id, hash
    )
    update image_sources s set status = 'pending', image_hash = null, attempts = 0, claims = 0, due_at = now()
    from lost where s.account_id = lost.account_id and s.image_hash = lost.hash returning s.url`,
};
