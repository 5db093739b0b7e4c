import type { ImageType } from '../../truck/fields.ts';
import { toTable } from '../../truck/text/table.ts';

/** Names of stored images: their path on the wire and their key in the object store. */

const EXTENSIONS = { jpeg: 'jpg', png: 'png', webp: 'webp' } as const satisfies Record<ImageType, string>;
const CONTENT_TYPES: Readonly<Record<string, string>> = toTable({
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
});

export const originalName = (type: ImageType): string => `original.${EXTENSIONS[type]}`;
export const renditionName = (width: number): string => `${width}.webp`;

/** Where a stored image is served; `hash` is the SHA-256 of the original's bytes, hex. */
export const mediaPath = (hash: string, name: string): string => `/media/${hash}/${name}`;

/** Where it lies; the first two digits spread a folder. */
export const mediaKey = (hash: string, name: string): string => `media/${hash.slice(0, 2)}/${hash}/${name}`;

export function contentTypeFor(name: string): string {
  return CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}
