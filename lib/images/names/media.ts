import type { ImageType } from '../../truck/fields.ts';

/** Names of stored images: their path on the wire and their key in the object store. */

const EXTENSIONS = { jpeg: 'jpg', png: 'png', webp: 'webp' } as const satisfies Record<ImageType, string>;
export const originalName = (type: ImageType): string => `original.${EXTENSIONS[type]}`;
export const renditionName = (width: number): string => `${width}.webp`;

/** Where a stored image is served; `hash` is the SHA-256 of the original's bytes, hex. */
export const mediaPath = (hash: string, name: string): string => `/media/${hash}/${name}`;

/** Where it lies; the first two digits spread a folder. */
export const mediaKey = (hash: string, name: string): string => `media/${hash.slice(0, 2)}/${hash}/${name}`;

export const contentTypeFor = (name: string): string =>
  name.endsWith('.jpg') ? 'image/jpeg' : `image/${name.slice(name.lastIndexOf('.') + 1)}`;
