import type { Sql, Statement } from '../../db/sql.ts';
import { CHANGED_NOW } from '../../inventory/queries/search-row.ts';
import { ENOUGH_IMAGES, QUALITY_ITEMS } from '../../truck/listing/quality.ts';

/**
 * Statements of the hourly sweep. No index leads from a URL to the listings that name it: it would cost every new
 * truck a row per photo. So both jobs read an account's listings once: the first only if images failed lately, the
 * second once a day.
 */

/** Accounts with images that failed lately. */
export const listWithDead = (db: Sql) => db.query<{ id: string }>(WITH_DEAD);

/** Corrects quality and `has_images` of listings that name such images; returns how many. */
export const regrade = async (db: Sql, accountId: string) => (await db.query(REGRADE, [accountId])).length;

/** Accounts whose turn it is in this hour of the day, 0 to 23. */
export const listOfHour = (db: Sql, hour: number) => db.query<{ id: string }>(OF_HOUR, [hour]);

/**
 * Forgets images that no listing names any more and nothing happened to for 30 days; returns how many. The second look has a
 * snapshot from after the locks: who named the URL meanwhile is seen.
 */
export const forgetImages = (db: Sql, accountId: string) =>
  db.transaction(async (bound) => {
    const rows = await bound.query<{ hash: string }>(FORGOTTEN, [accountId]);
    if (rows.length === 0) return 0;
    const hashes = JSON.stringify(rows.map(({ hash }) => hash));
    return (await bound.query(FORGET, [accountId, hashes])).length;
  }, 'job');

/** A verdict is checked in several runs, because a run skips rows that are being written. */
const LATELY = `interval '3 hours'`;

const WITH_DEAD: Statement = {
  timeout: 'job',
  text: `/* all accounts */ select distinct account_id as id from image_sources where status = 'failed' and updated_at > now() - ${LATELY}`,
};

const ITEMS = QUALITY_ITEMS.map(([item, points], place) => `('${item}', ${points}, ${place})`).join(', ');

/**
 * Sets quality and `has_images` as a post would now. Skips locked rows, and raises the version, so that writers that
 * read the listing before decide again.
 */
const REGRADE: Statement = {
  timeout: 'job',
  text: `
    with dead as materialized (
      select url from image_sources
      where account_id = $1 and status = 'failed' and updated_at > now() - ${LATELY}
    ), held as materialized (
      select l.dedup_hash, l.images, l.quality from listings l
      where l.account_id = $1 and l.version > 0 and exists (
        select 1 from json_array_elements_text(l.images) as named(url) where named.url in (select url from dead))
      for update skip locked
    ), judged as (
      select dedup_hash, quality, (
          select count(*)::int from json_array_elements_text(images) as named(url) left join image_sources s
            on s.account_id = $1 and s.url_hash = sha256(convert_to(named.url, 'UTF8'))
          where s.status is distinct from 'failed') as live
      from held
    ), graded as (
      select dedup_hash, live, 100 - coalesce(sum(points), 0)::int as score,
        coalesce(json_agg(item order by place) filter (where item is not null), '[]') as missing
      from judged left join (values ${ITEMS}) as items(item, points, place) on case
        when item = 'images' then live = 0
        when item = 'more_images' then live < ${ENOUGH_IMAGES}
        else (quality->'missing')::jsonb ? item end
      group by dedup_hash, live
    ), described as (
      select dedup_hash, live, score, json_build_object('score', score, 'missing', missing) as quality from graded
    ), changed as (
      update listings l set version = l.version + 1, updated_at = now(), quality = g.quality
      from described g
      where l.account_id = $1 and l.dedup_hash = g.dedup_hash and (l.quality->>'score')::int <> score
      returning l.dedup_hash, score, live
    )
    update listing_search s set quality = score, has_images = live > 0, ${CHANGED_NOW} from changed c
    where s.account_id = $1 and s.dedup_hash = c.dedup_hash returning true as done`,
};

/** Every account has its hour of the day. */
const OF_HOUR: Statement = {
  timeout: 'job',
  text: `select id from accounts where mod(abs(hashtext(id)::bigint), 24) = $1::int order by id`,
};

const NAMED = `select 1 from listings l cross join lateral json_array_elements_text(l.images) as named(url)
        where l.account_id = $1 and named.url = s.url`;

const FORGOTTEN: Statement = {
  text: `
    select encode(s.url_hash, 'hex') as hash from image_sources s
    where s.account_id = $1 and s.updated_at < now() - interval '30 days'
      and not exists (${NAMED})
    limit 5000 for update of s skip locked`,
};

const FORGET: Statement = {
  text: `
    delete from image_sources s
    where s.account_id = $1 and s.url_hash in (
        select decode(hash, 'hex') from json_array_elements_text($2::json) as forgotten(hash))
      and not exists (${NAMED})
    returning true as gone`,
};
