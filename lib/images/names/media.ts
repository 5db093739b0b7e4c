import type { ImageType } from '../../truck/fields.ts';

/**
 * The type of an image by its bytes, and the names of stored images: their path on the wire and their key in the
 * object store.
 */

const EXTENSIONS = { jpeg: 'jpg', png: 'png', webp: 'webp' } as const satisfies Record<ImageType, string>;
export const originalName = (type: ImageType) => `original.${EXTENSIONS[type]}`;
export const renditionName = (width: number) => `${width}.webp`;

/** Where a stored image is served; `hash` is the SHA-256 of the original's bytes, hex. */
export const mediaPath = (hash: string, name: string) => `/media/${hash}/${name}`;

/** Key in the object store; the first two digits spread the folders. */
export const mediaKey = (hash: string, name: string) => `media/${hash.slice(0, 2)}/${hash}/${name}`;

export const contentTypeFor = (name: string) =>
  name.endsWith('.jpg') ? 'image/jpeg' : `image/${name.slice(name.lastIndexOf('.') + 1)}`;

/**
 * Detects the type by the first bytes, because a name or a Content-Type proves nothing. Null for every other format,
 * GIF and SVG included.
 */
export function sniffImageType(bytes: Uint8Array): ImageType | null {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  return head.startsWith('RIFF') && head.startsWith('WEBPVP8', 8) ? 'webp' : null;
}
