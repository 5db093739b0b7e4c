import { iso } from '../../db/fragments.ts';
import type { Feed, FeedError, FeedReject, FeedRun } from '../feed.ts';

/** How feeds and their runs leave the database: as JSON in the shape of the ports. */

/** A run `r` of account $1; `most` names the parameter that says how many rejects. */
export const runJson = (most: string) => `
  json_build_object('id', r.id, 'feed_id', r.feed_id, 'status', r.status, 'rows', r.rows, 'created', r.created,
    'merged', r.merged, 'unchanged', r.unchanged, 'delisted', r.delisted, 'rejected', r.rejected,
    'rejects_by_code', r.rejects_by_code, 'would_delist', r.would_delist, 'error', r.error, 'bytes', r.bytes,
    'sha256', r.sha256, 'phases', r.phases, 'created_at', ${iso('r.created_at')},
    'started_at', ${iso('r.started_at')}, 'finished_at', ${iso('r.finished_at')},
    'rejects', (select coalesce(json_agg(p.rejects order by p.chunk), '[]') from (
      select j.chunk, j.rejects, sum(j.n) over (order by j.chunk) - j.n as before from feed_rejects j
      where j.account_id = $1 and j.run_id = r.id) p where p.before < ${most}))`;

/** A feed `f` of account $1 with its newest run. */
export const feedJson = (most: string) => `
  json_build_object('id', f.id, 'name', f.name, 'dealer', f.dealer, 'protocol', f.protocol, 'url', f.url,
    'username', f.username, 'has_password', f.password is not null, 'has_private_key', f.private_key is not null,
    'host_key_sha256', f.host_key_sha256, 'format', f.format, 'source_provider_id', f.source_provider_id,
    'mapping', f.mapping, 'defaults', f.defaults, 'class_from_vin', f.class_from_vin,
    'zero_price_is_call', f.zero_price_is_call, 'cadence_minutes', f.cadence_minutes,
    'misses_before_delist', f.misses_before_delist, 'enabled', f.enabled,
    'last_run', (select ${runJson(most)} from feed_runs r where r.account_id = $1 and r.feed_id = f.id
      order by r.no desc limit 1),
    'next_run_at', ${iso('f.next_run_at')}, 'created_at', ${iso('f.created_at')},
    'updated_at', ${iso('f.updated_at')})`;

/** As `runJson` answers it: rejects still by chunks, and null where something does not apply. */
export type RunJson = Omit<FeedRun, 'rejects' | 'would_delist' | 'error'> & {
  rejects: FeedReject[][];
  would_delist: number | null;
  error: FeedError | null;
};
export type FeedJson = Omit<Feed, 'last_run'> & { last_run: RunJson | null };

export function toRun({ rejects, would_delist, error, ...run }: RunJson, most: number): FeedRun {
  return {
    ...run,
    rejects: rejects.flat().slice(0, most),
    ...(would_delist === null ? {} : { would_delist }),
    ...(error === null ? {} : { error }),
  };
}

export function toFeed(feed: FeedJson, most: number): Feed {
  return { ...feed, last_run: feed.last_run && toRun(feed.last_run, most) };
}
