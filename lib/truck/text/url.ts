import { isObject } from '../is-object.ts';

const MAX_LENGTH = 2_000;
/** URLs that the WHATWG parser would not change. Most match, and the parser takes ten times as long. */
const PLAIN = /^https?:\/\/[a-z][a-z0-9]*(?:\.[a-z][a-z0-9]*)+\/(?!\.|.*\/\.)[\w\-./~=&?+,]*$/;

/** Reads an absolute http or https URL without credentials, as the WHATWG parser writes it; else null. */
export function readUrl(raw: unknown): string | null {
  if (typeof raw !== 'string' || raw.length > MAX_LENGTH * 2) return null;
  const text = raw.trim();
  if (text.length <= MAX_LENGTH && PLAIN.test(text)) return text;
  if (!/^https?:\/\//i.test(text)) return null;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hostname === '') return null;
  return url.href.length <= MAX_LENGTH ? url.href : null;
}

/** Most images of a listing. */
export const MAX_IMAGES = 100;

/**
 * Reads a list of URLs, a list of `{ url }`, or a text with URLs separated by white space, `,`, `;` or `|`: each once, in
 * order; null for any other value. `dropped` counts items that are no http(s) URL, or beyond the first 100.
 */
export function readImages(raw: unknown) {
  const items = listImageItems(raw);
  if (items === null) return { urls: null, dropped: 0 };
  const urls = new Set<string>();
  let dropped = 0;
  for (const item of items) {
    const url = urls.size < MAX_IMAGES ? readUrl(readImageUrl(item)) : null;
    if (url === null) dropped++;
    else urls.add(url);
  }
  return { urls: [...urls], dropped };
}

/** Returns the unread items of such a list; null for any other value. */
export function listImageItems(raw: unknown): readonly unknown[] | null {
  if (Array.isArray(raw)) return raw;
  if (typeof raw !== 'string') return null;
  // A comma may belong to a URL: it separates only where another URL follows.
  return raw
    .slice(0, 300_000)
    .split(/[\s;|]+|,(?=\s*(?:https?:|$))/i)
    .filter((part) => part !== '');
}

/** Members with an image's URL, the likeliest first; `text` is the content of an XML element with attributes. */
const URL_MEMBERS = ['url', 'src', 'href', 'link', 'image', 'photo', 'text'] as const;

function readImageUrl(item: unknown): unknown {
  if (!isObject(item)) return item;
  const members = new Map(Object.entries(item).map(([name, value]) => [name.toLowerCase(), value]));
  const name = URL_MEMBERS.find((member) => members.has(member));
  return name && members.get(name);
}
