import { readUrl } from '../../truck/text/url.ts';

/** Most images of a listing. */
export const MAX_IMAGES = 100;

export interface ImagesReading {
  /** http or https, each once, in order; null when the value is no list of images at all. */
  urls: string[] | null;
  /** How many were left out: no http(s) URL, or more than 100. Repeats are not counted. */
  dropped: number;
}

/** Reads a list of URLs, a list of `{ url }`, or one text with URLs separated by white space, `,`, `;` or `|`. */
export function readImages(raw: unknown): ImagesReading {
  const items = imageItems(raw);
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

/** The items of such a list, unread; null when it is none. */
export function imageItems(raw: unknown): readonly unknown[] | null {
  if (Array.isArray(raw)) return raw;
  if (typeof raw !== 'string') return null;
  // A comma may belong to a URL: it separates only where another URL follows.
  return raw
    .slice(0, 300_000)
    .split(/[\s;|]+|,(?=\s*(?:https?:|$))/i)
    .filter((part) => part !== '');
}

/** Members that hold the address of an image, in any case; `text` is what an XML element with attributes says. */
const URL_MEMBERS = ['url', 'src', 'href', 'link', 'image', 'photo', 'text'];

function readImageUrl(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  const members = new Map(Object.entries(item).map(([name, value]) => [name.toLowerCase(), value]));
  const name = URL_MEMBERS.find((each) => members.has(each));
  return name === undefined ? null : members.get(name);
}
