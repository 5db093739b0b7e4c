import type { Feed, FeedRun } from '../ports/feeds/feeds.ts';

/** Runs and feeds as they are answered: what does not apply is left out. */

export function serializeFeedRun({ would_delist, error, ...run }: FeedRun) {
  return { ...run, ...(would_delist === null ? {} : { would_delist }), ...(error === null ? {} : { error }) };
}

export function serializeFeed(feed: Feed) {
  return { ...feed, last_run: feed.last_run && serializeFeedRun(feed.last_run) };
}
