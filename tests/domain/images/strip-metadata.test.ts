import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { sniffImageType } from '../../../lib/domain/images/image-type.ts';
import { stripMetadata } from '../../../lib/services/images/strip-metadata.ts';
import * as fc from '../../support/oracles/fast-check.ts';
import { jpeg, photosWithMetadata, png, sidewaysJpeg, webp } from '../../support/samples/pictures.ts';

const pixels = (bytes: Uint8Array) => sharp(bytes, { failOn: 'warning' }).autoOrient().raw().toBuffer();
const photos = await photosWithMetadata();

describe.each(Object.entries(photos))('%s', (type, photo) => {
  test('has the same pixels, and none of EXIF, XMP, comments, texts and what follows its end', async () => {
    expect(photo.toString('latin1').match(/secret-of-the-owner/g)?.length).toBeGreaterThan(2);
    const stripped = Buffer.from(stripMetadata(photo) ?? []);
    const { format, exif, xmp, comments } = await sharp(stripped).metadata();
    expect({ format, exif, xmp, comments }).toEqual({ format: type });
    expect(stripped.toString('latin1')).not.toContain('secret-of-the-owner');
    expect(await pixels(stripped)).toEqual(await pixels(photo));
    expect(stripMetadata(stripped)).toEqual(stripped);
  });

  test('whatever bytes are changed or cut off, what was beside the pixels stays out and nothing throws', () => {
    fc.assert(
      fc.property(fc.nat(photo.length - 1), fc.nat(255), fc.nat(photo.length), (at, byte, length) => {
        const broken = Buffer.from(photo.subarray(0, length));
        if (at < length) broken[at] = byte;
        const stripped = stripMetadata(broken);
        expect(stripped === null).toBe(sniffImageType(broken) === null);
      }),
      { numRuns: 1_000 },
    );
  });
});

test.each([8, 6, 3])(
  'a JPEG that is shown by its orientation %d keeps it, and no other tag',
  async (orientation) => {
    const photo = await sharp(await sidewaysJpeg(60, 40))
      .withExif({ IFD0: { Copyright: 'secret-of-the-owner' }, IFD3: { GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation })
      .jpeg()
      .toBuffer();
    const stripped = stripMetadata(photo) ?? new Uint8Array();
    const { orientation: kept, exif } = await sharp(stripped).metadata();
    expect([kept, exif?.length]).toEqual([orientation, 32]);
    expect(Buffer.from(stripped).toString('latin1')).not.toContain('secret-of-the-owner');
    expect(await pixels(stripped)).toEqual(await pixels(photo));
  },
);

test('progressive JPEGs, color profiles and transparency stay as they are', async () => {
  const gray = await sharp(await jpeg())
    .grayscale()
    .jpeg({ progressive: true })
    .toBuffer();
  const clear = await sharp(await png())
    .ensureAlpha(0.5)
    .png({ palette: true })
    .toBuffer();
  const wide = await sharp(await jpeg())
    .withIccProfile('p3')
    .jpeg()
    .toBuffer();
  const lossless = await sharp(await webp())
    .ensureAlpha(0.5)
    .webp({ lossless: true })
    .toBuffer();
  for (const photo of [gray, clear, wide, lossless]) {
    const stripped = stripMetadata(photo) ?? new Uint8Array();
    expect(await pixels(stripped)).toEqual(await pixels(photo));
    expect((await sharp(stripped).metadata()).icc).toEqual((await sharp(photo).metadata()).icc);
  }
});
