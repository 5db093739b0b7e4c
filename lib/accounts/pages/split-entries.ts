/** What a text area has, one on a line or behind a comma. */
export const splitEntries = (lines: readonly string[]): string[] =>
  lines
    .join(' ')
    .split(/[\s,]+/)
    .filter(Boolean);
