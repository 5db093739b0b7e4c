import { iso } from '../../db/fragments.ts';
import type { Feed, FeedRun } from '../feed.ts';
import { FEED_LIMITS } from '../schemas/feed-fields.ts';

/** How feeds and their runs leave the database: as JSON in the shape of the wire. */

/** A run `r` of account $1 with its first rejects, so many. */
export const runJson = (rejects: number) => `
  json_build_object('id', r.id, 'feed_id', r.feed_id, 'status', r.status, 'rows', r.rows, 'created', r.created,
    'merged', r.merged, 'unchanged', r.unchanged, 'delisted', r.delisted, 'rejected', r.rejected,
    'rejects_by_code', r.rejects_by_code, 'would_delist', r.would_delist, 'error', r.error, 'bytes', r.bytes,
    'sha256', r.sha256, 'phases', r.phases, 'created_at', ${iso('r.created_at')},
    'started_at', ${iso('r.started_at')}, 'finished_at', ${iso('r.finished_at')},
    'rejects', (select coalesce(json_agg(first.reject), '[]') from (
      select e.reject from (
        select j.chunk, j.rejects, sum(j.n) over (order by j.chunk) - j.n as before from feed_rejects j
        where j.account_id = $1 and j.run_id = r.id) p, json_array_elements(p.rejects) with ordinality e(reject, at)
      where p.before < ${rejects} order by p.chunk, e.at limit ${rejects}) first))`;

/** A feed `f` of account $1 with its newest run. */
export const FEED_JSON = `
  json_build_object('id', f.id, 'name', f.name, 'dealer', f.dealer, 'protocol', f.protocol, 'url', f.url,
    'username', f.username, 'has_password', f.password is not null, 'has_private_key', f.private_key is not null,
    'host_key_sha256', f.host_key_sha256, 'format', f.format, 'source_provider_id', f.source_provider_id,
    'mapping', f.mapping, 'defaults', f.defaults, 'class_from_vin', f.class_from_vin,
    'cadence_minutes', f.cadence_minutes,
    'misses_before_delist', f.misses_before_delist, 'enabled', f.enabled,
    'last_run', (select ${runJson(FEED_LIMITS.rejectsListed)} from feed_runs r where r.account_id = $1 and r.feed_id = f.id
      order by r.no desc limit 1),
    'next_run_at', ${iso('f.next_run_at')}, 'created_at', ${iso('f.created_at')},
    'updated_at', ${iso('f.updated_at')})`;

/** Null where something does not apply. */
export type RunJson = Omit<FeedRun, 'would_delist' | 'error'> & {
  [Name in 'would_delist' | 'error']: NonNullable<FeedRun[Name]> | null;
};
export type FeedJson = Omit<Feed, 'last_run'> & { last_run: RunJson | null };

export const toRun = ({ would_delist, error, ...run }: RunJson) => ({
  ...run,
  ...(would_delist === null ? {} : { would_delist }),
  ...(error === null ? {} : { error }),
});

export const toFeed = (feed: FeedJson) => ({ ...feed, last_run: feed.last_run && toRun(feed.last_run) });
