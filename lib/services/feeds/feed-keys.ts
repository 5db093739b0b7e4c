import type { RawFile } from '../../ports/feeds/feeds.ts';

/** What a feed's secrets are bound to: they cannot be opened as those of another feed. */
export function secretAbout(accountId: string, feedId: string): string {
  return `feed ${accountId} ${feedId}`;
}

/**
 * Where the raw file of a run stands in the object store until the run has ended. Named by its bytes: a worker that wakes
 * up late must not put another file in the place of the one that is being read.
 */
export function toRawKey({ accountId, runId, sha256 }: RawFile): string {
  return `feeds/${accountId}/${runId}/${sha256}`;
}
