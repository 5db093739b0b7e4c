import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Test images. `sharp` writes them, so they do not depend on the loaders that the service lets loose. */

const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#777',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  });

export const jpeg = (width = 64, height = 48) => noise(width, height).jpeg().toBuffer();
export const png = (width = 64, height = 48) => noise(width, height).png().toBuffer();
export const webp = (width = 64, height = 48) => noise(width, height).webp().toBuffer();

/** A JPEG of its own bytes each time: equal pixels, told apart by a comment behind the end. */
export async function uniqueJpeg(tag: string, width = 64, height = 48): Promise<Buffer> {
  return Buffer.concat([await jpeg(width, height), Buffer.from(tag)]);
}

/** Taken with the camera on its side, with a place, a name and a thumbnail to leak. */
export async function sidewaysJpeg(width: number, height: number): Promise<Buffer> {
  return noise(width, height)
    .withExif({ IFD0: { Copyright: 'secret-of-the-owner' }, IFD3: { GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

const uint32 = (value: number) => Buffer.from(value.toString(16).padStart(8, '0'), 'hex');

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

/** A PNG that says it has these many pixels, with as few bytes as that takes. */
export function hugePng(width: number, height: number): Buffer {
  const head = Buffer.concat([uint32(width), uint32(height), Buffer.from([1, 0, 0, 0, 0])]);
  const row = Math.ceil(width / 8) + 1;
  const pixels = deflateSync(Buffer.alloc(Math.min(row * height, 20_000_000)));
  const magic = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([magic, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}
