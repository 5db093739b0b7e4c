import type { FeedClaim } from '../ports.ts';

/** What a feed's secrets are bound to: they cannot be opened as those of another feed. */
export function secretAbout(accountId: string, feedId: string): string {
  return `feed ${accountId} ${feedId}`;
}

/** Where the raw file of a run stands in the object store until the run has ended. */
export function rawKeyOf({ accountId, runId }: Pick<FeedClaim, 'accountId' | 'runId'>): string {
  return `feeds/${accountId}/${runId}/raw`;
}
