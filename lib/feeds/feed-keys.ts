/** What a feed's secrets are bound to: they cannot be opened as those of another feed. */
export function secretAbout(accountId: string, feedId: string): string {
  return `feed ${accountId} ${feedId}`;
}
