import type { ImageType } from '../../truck/fields.ts';

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
