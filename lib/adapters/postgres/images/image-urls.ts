/** How long a dead image stays dead before a post that names it anew has it fetched again. */
export const DEAD_FOR = '24 hours';

/** Whom an image is fetched from, port included: at most a few at a time from each. */
export function parseHost(url: string): string {
  return URL.parse(url)?.host ?? '';
}
