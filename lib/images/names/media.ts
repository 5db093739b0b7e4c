import type { ImageType } from '../../truck/fields.ts';

/** What images are by their bytes, and how stored ones are named: their path on the wire and their key in the object store. */

const EXTENSIONS = { jpeg: 'jpg', png: 'png', webp: 'webp' } as const satisfies Record<ImageType, string>;
export const originalName = (type: ImageType): string => `original.${EXTENSIONS[type]}`;
export const renditionName = (width: number): string => `${width}.webp`;

/** Where a stored image is served; `hash` is the SHA-256 of the original's bytes, hex. */
export const mediaPath = (hash: string, name: string): string => `/media/${hash}/${name}`;

/** Where it lies; the first two digits spread a folder. */
export const mediaKey = (hash: string, name: string): string => `media/${hash.slice(0, 2)}/${hash}/${name}`;

export const contentTypeFor = (name: string): string =>
  name.endsWith('.jpg') ? 'image/jpeg' : `image/${name.slice(name.lastIndexOf('.') + 1)}`;

/**
 * What bytes are by how they begin; a name or a Content-Type is anybody's claim. Null for anything that is not taken
 * in, GIF and SVG included.
 */
export function sniffImageType(bytes: Uint8Array): ImageType | null {
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'jpeg';
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png';
  const riff = startsWith(bytes, [0x52, 0x49, 0x46, 0x46]);
  if (riff && startsWith(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38])) return 'webp';
  return null;
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte);
}
