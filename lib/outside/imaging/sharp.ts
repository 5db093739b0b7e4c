import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import type { Imaging, RenderedImage } from '../../images/image.ts';
import type { ImageType } from '../../truck/fields.ts';

/** Widths shown in galleries, on pages and full-screen; a narrower original is its own widest. */
const WIDTHS = [320, 640, 1_280] as const;
const MAX_PIXELS = 50_000_000;
/** A progressive JPEG is decoded whole, once for each of its scans; any other one only in the size that is needed. */
const MAX_PROGRESSIVE_PIXELS = 13_000_000;
/** Bound of a rendition: a very long image would cost many times what a photo does. */
const MAX_HEIGHT = 2_560;
/** What WebP can hold, so that no rendition of a very long image fails. */
const MAX_SIDE = 16_383;
/** Bound of the original as it is stored. */
const MAX_KEPT_SIDE = 4_096;
const PLACEHOLDER_SIDE = 16;

/** Renders images by libvips, which gets only the three loaders that are needed. */
export function sharpImaging(): Imaging {
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
  });
  return { render };
}

async function render(bytes: Uint8Array, type: ImageType): Promise<RenderedImage | 'too_many_pixels' | null> {
  const options: SharpOptions = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true };
  try {
    const header = await sharp(bytes, { ...options, limitInputPixels: false }).metadata();
    if (header.format !== type) return null;
    if (hasTooManyPixels(header)) return 'too_many_pixels';
    const { width, height } = header.autoOrient;
    const maxWidth = Math.min(width, Math.max(1, Math.floor((width * MAX_HEIGHT) / height)));
    const widths = [...new Set(WIDTHS.map((targetWidth) => Math.min(targetWidth, maxWidth)))];
    // The bytes are decoded once; the narrower renditions are made from the widest, which is quicker and looks the
    // same.
    const widest = await sharp(bytes, options)
      .autoOrient()
      .resize({ width: widths.at(-1) ?? width, withoutEnlargement: true })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const from = () => sharp(widest.data, { raw: widest.info });
    const renditions = [];
    for (const targetWidth of widths) {
      const { data, info } = await from()
        .resize({ width: targetWidth })
        .webp({ quality: 78 })
        .toBuffer({ resolveWithObject: true });
      renditions.push({ width: info.width, height: info.height, bytes: new Uint8Array(data) });
    }
    const original = await redraw(sharp(bytes, options), type);
    return { width, height, original, renditions, placeholder: await makePlaceholder(from()) };
  } catch {
    // libvips throws for every image that it cannot read.
    return null;
  }
}

/** Keeps the pixels alone, because metadata names places and people. */
async function redraw(image: Sharp, type: ImageType): Promise<Uint8Array> {
  const upright = image
    .autoOrient()
    .resize({ width: MAX_KEPT_SIDE, height: MAX_KEPT_SIDE, fit: 'inside', withoutEnlargement: true });
  return new Uint8Array(await upright.toFormat(type, type === 'png' ? {} : { quality: 90 }).toBuffer());
}

function hasTooManyPixels({ format, isProgressive, width, height }: Metadata): boolean {
  const max = format === 'jpeg' && isProgressive ? MAX_PROGRESSIVE_PIXELS : MAX_PIXELS;
  return width * height > max || Math.max(width, height) > MAX_SIDE;
}

/** A thumbnail of one block of WebP: whatever it shows, it takes less than 300 characters. */
async function makePlaceholder(image: Sharp): Promise<string> {
  const thumbnail = image
    .resize({ width: PLACEHOLDER_SIDE, height: PLACEHOLDER_SIDE, fit: 'inside' })
    .flatten({ background: '#fff' })
    .blur(0.6);
  const bytes = await thumbnail.webp({ quality: 20, alphaQuality: 0, effort: 6 }).toBuffer();
  return `data:image/webp;base64,${bytes.toString('base64')}`;
}
