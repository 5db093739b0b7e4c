import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { RenderedImage } from '../../../lib/images/image.ts';
import { sniffImageType } from '../../../lib/images/names/media.ts';
import { sharpImaging } from '../../../lib/outside/imaging/sharp.ts';
import { hugePng, jpeg, png, sidewaysJpeg, webp } from '../../support/samples/pictures.ts';

const imaging = sharpImaging();

async function rendered(bytes: Uint8Array): Promise<RenderedImage> {
  const type = sniffImageType(bytes);
  if (!type) throw new Error('no image');
  const result = await imaging.render(bytes, type);
  if (result === null || result === 'too_many_pixels') throw new Error(String(result));
  return result;
}

describe('renditions', () => {
  test.each([
    ['jpeg', 2_000, 1_000, jpeg, [320, 640, 1_280]],
    ['webp', 900, 600, webp, [320, 640, 900]],
    ['png', 200, 100, png, [200]],
    ['png', 3, 400, png, [3]],
  ] as const)(
    'of a %s of %i × %i: WebP, narrowest first, never enlarged',
    async (_, width, height, make, widths) => {
      const { renditions, placeholder, ...size } = await rendered(await make(width, height));
      expect(size).toMatchObject({ width, height });
      expect(renditions.map((rendition) => rendition.width)).toEqual(widths);
      for (const { bytes, ...scaled } of renditions) {
        expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', ...scaled });
        expect(scaled.height / scaled.width).toBeCloseTo(height / width, 1);
      }
      // A tiny WebP as data URI.
      expect(placeholder.length).toBeLessThanOrEqual(300);
      const tiny = await (await fetch(placeholder)).bytes();
      const { format, ...tinySize } = await sharp(tiny).metadata();
      expect([format, Math.max(tinySize.width, tinySize.height)]).toEqual(['webp', 16]);
    },
  );

  test('are upright, and carry nothing but pixels', async () => {
    const { original, renditions, ...size } = await rendered(await sidewaysJpeg(900, 600));
    const upright = { width: 600, height: 900 };
    expect([size, renditions]).toMatchObject([upright, [{ width: 320, height: 480 }, upright]]);
    for (const bytes of [original, ...renditions.map((rendition) => rendition.bytes)]) {
      const { exif, icc, xmp, iptc, orientation } = await sharp(bytes).metadata();
      expect({ exif, icc, xmp, iptc, orientation }).toEqual({});
    }
  });
});

describe('hostile files', () => {
  test('truncated, or damaged in the middle: null', async () => {
    for (const bytes of [await jpeg(800, 600), await png(800, 600), await webp(800, 600)]) {
      const type = sniffImageType(bytes) ?? 'jpeg';
      expect(await imaging.render(bytes.subarray(0, bytes.length / 2), type), type).toBeNull();
    }
    const damaged = await png(800, 600);
    damaged.fill(0, Math.floor(damaged.length / 2), Math.floor(damaged.length / 2) + 2_000);
    expect(await imaging.render(damaged, 'png')).toBeNull();
  });

  test('too many pixels are refused by the head alone; 50 megapixels pass', async () => {
    expect(await imaging.render(hugePng(16_000, 16_000), 'png')).toBe('too_many_pixels');
    expect(await imaging.render(hugePng(60_000, 10), 'png')).toBe('too_many_pixels');
    expect(await imaging.render(hugePng(2_000_000, 2_000_000), 'png')).not.toHaveProperty('width');
    expect(await rendered(hugePng(10_000, 5_000))).toMatchObject({ width: 10_000, height: 5_000 });
  });

  test('a progressive JPEG, which is decoded whole and scan by scan, may have fewer pixels', async () => {
    const progressive = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#777' } })
        .jpeg({ progressive: true })
        .toBuffer();
    expect(await imaging.render(await progressive(4_000, 4_000), 'jpeg')).toBe('too_many_pixels');
    expect(await rendered(await progressive(4_000, 3_000))).toMatchObject({ width: 4_000 });
  });

  test('a very long image is shown narrower, so that it costs no more than others', async () => {
    const { renditions } = await rendered(await png(600, 10_000));
    expect(renditions).toMatchObject([{ width: 153, height: 2_550 }]);
  });

  test('SVG is not even loaded, whatever it is called', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>';
    for (const type of ['jpeg', 'png', 'webp'] as const)
      expect(await imaging.render(Buffer.from(svg), type)).toBeNull();
  });

  test('GIF, TIFF and AVIF find their loaders blocked', async () => {
    for (const format of ['gif', 'tiff', 'avif'] as const) {
      const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
        .toFormat(format)
        .toBuffer();
      expect(await imaging.render(bytes, 'png'), format).toBeNull();
      await expect(sharp(bytes).metadata(), format).rejects.toThrow();
    }
  });
});
