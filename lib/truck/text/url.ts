const MAX_LENGTH = 2_000;
/** URLs that the WHATWG parser would answer unchanged: most of them, and the parser costs ten times this test. */
const PLAIN = /^https?:\/\/[a-z][a-z0-9]*(?:\.[a-z][a-z0-9]*)+\/(?!\.|.*\/\.)[\w\-./~=&?+,]*$/;

/** An absolute http or https URL without credentials, as the WHATWG parser writes it; null for anything else. */
export function readUrl(raw: unknown): string | null {
  if (typeof raw !== 'string' || raw.length > MAX_LENGTH * 2) return null;
  const text = raw.trim();
  if (text.length <= MAX_LENGTH && PLAIN.test(text)) return text;
  if (!/^https?:\/\//i.test(text)) return null;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hostname === '') return null;
  return url.href.length <= MAX_LENGTH ? url.href : null;
}
