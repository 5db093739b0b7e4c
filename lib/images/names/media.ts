import type { ImageType } from '../../truck/fields.ts';

/** What images are by their bytes, and how stored ones are named: their path on the wire and their key in the object store. */

const EXTENSIONS = { jpeg: 'jpg', png: 'png', webp: 'webp' } as const satisfies Record<ImageType, string>;
export const originalName = (type: ImageType) => `original.${EXTENSIONS[type]}`;
export const renditionName = (width: number) => `${width}.webp`;

/** Where a stored image is served; `hash` is the SHA-256 of the original's bytes, hex. */
export const mediaPath = (hash: string, name: string) => `/media/${hash}/${name}`;

/** Where it lies; the first two digits spread a folder. */
export const mediaKey = (hash: string, name: string) => `media/${hash.slice(0, 2)}/${hash}/${name}`;

export const contentTypeFor = (name: string) =>
  name.endsWith('.jpg') ? 'image/jpeg' : `image/${name.slice(name.lastIndexOf('.') + 1)}`;

/**
 * What bytes are by how they begin; a name or a Content-Type is anybody's claim. Null for anything that is not taken
 * in, GIF and SVG included.
 */
export function sniffImageType(bytes: Uint8Array): ImageType | null {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  return head.startsWith('RIFF') && head.startsWith('WEBPVP8', 8) ? 'webp' : null;
}
