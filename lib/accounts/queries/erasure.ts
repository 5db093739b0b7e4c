import { ACCOUNT_TABLES } from '../../../drizzle/schema/tenant-tables.ts';
import { START_MOMENT } from '../../db/fragments.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import type { RawFile } from '../../feeds/feed.ts';
import type { UnusedImage } from '../../images/image.ts';

/** Erasing an account, in slices. */

/** Begins what is due; returns the ids of accounts that are being erased. From then on nothing undoes it. */
export const beginErasures = async (db: Sql): Promise<string[]> =>
  (await db.query<{ id: string }>(BEGIN)).map(({ id }) => id);

const BEGIN: Statement = {
  timeout: 'job',
  text: `
    update accounts set erasing_at = coalesce(erasing_at, moment.at) from ${START_MOMENT}
    where erase_at <= now() or erasing_at is not null returning id`,
};

export const listRawFiles = (db: Sql, accountId: string, max: number) =>
  db.query<RawFile>(RAW_FILES, [accountId, max]);

const RAW_FILES: Statement = {
  timeout: 'job',
  text: `
    select account_id as "accountId", id as "runId", sha256 from feed_runs
    where account_id = $1 and raw and sha256 is not null order by id limit $2::int`,
};

/** Marks images as unused, so that they can be removed. */
export const markImagesUnused = (db: Sql, accountId: string, max: number) =>
  db.query<UnusedImage>(IMAGES, [accountId, max]);

const IMAGES: Statement = {
  timeout: 'job',
  text: `
    with found as (
      select hash from stored_images where account_id = $1 order by hash limit $2::int
    ), unnamed as (
      delete from image_sources where account_id = $1 and image_hash in (select hash from found)
    )
    update stored_images set unused_since = coalesce(unused_since, moment.at) from ${START_MOMENT}
    where account_id = $1 and hash in (select hash from found)
    returning encode(hash, 'hex') as hash, original, renditions`,
};

/** Removes rows of one table after the other, at most so many; returns the number of them. */
export async function removeRows(db: Sql, accountId: string, max: number): Promise<number> {
  let rowCount = 0;
  for (const table of ACCOUNT_TABLES) {
    if (rowCount >= max) break;
    rowCount += (await db.query(removeFrom(table), [accountId, max - rowCount])).length;
  }
  return rowCount;
}

const removeFrom = (table: string): Statement => ({
  timeout: 'job',
  text: `
    delete from ${table} where account_id = $1
      and ctid = any (array(select ctid from ${table} where account_id = $1 limit $2::int)) returning 1 as one`,
});

/** Removes the account itself; false while something of it is left, or a writer may still be under way. */
export const finishErasure = async (db: Sql, accountId: string): Promise<boolean> =>
  (await db.query(FINISH, [accountId])).length > 0;

/** No function runs for longer than five minutes: what still wrote when it began has ended by then. */
const FINISH: Statement = {
  timeout: 'job',
  text: `
    with gone as (
      update sessions set account_id = null where account_id = $1
    )
    delete from accounts where id = $1 and erasing_at < now() - interval '6 minutes' returning 1 as one`,
};
