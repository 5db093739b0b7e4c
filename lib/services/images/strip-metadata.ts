import { sniffImageType } from '../../domain/images/image-type.ts';

/**
 * An image with its pixels as they are, and without what cameras and editors write beside them: places, names, dates, smaller
 * copies. Of a JPEG the orientation stays, since it is shown by it. Null for what is no image.
 */
export function stripMetadata(bytes: Uint8Array): Uint8Array | null {
  const image = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const type = sniffImageType(image);
  return type && STRIP[type](image);
}

const STRIP = { jpeg: stripJpeg, png: stripPng, webp: stripWebp };

const [FILL, SCAN, END_OF_IMAGE] = [0xff, 0xda, 0xd9];
/** Markers that no length follows: a stuffed byte, restarts, the image's begin. */
const isBare = (marker: number) => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
/** Segments of applications that say how the pixels are to be read. */
const READ_BY = ['JFIF\0', 'ICC_PROFILE\0', 'Adobe'];
const COMMENT = 0xfe;
const isApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef;

function stripJpeg(image: Buffer): Buffer {
  const parts = [image.subarray(0, 2)];
  for (let start = image.indexOf(FILL, 2); start >= 0; ) {
    const marker = image[start + 1] ?? END_OF_IMAGE;
    if (marker === END_OF_IMAGE) break;
    if (marker === FILL || isBare(marker)) {
      start = image.indexOf(FILL, start + (marker === FILL ? 1 : 2));
      continue;
    }
    const data = image.subarray(start + 4);
    let end = start + 2 + (image[start + 2] ?? 0) * 256 + (image[start + 3] ?? 0);
    if (marker === SCAN) end = endOfScan(image, end);
    if (isApplication(marker) ? startsWithAny(data, READ_BY) : marker !== COMMENT)
      parts.push(image.subarray(start, end));
    else if (startsWithAny(data, ['Exif\0\0']))
      parts.push(orientationSegment(readOrientation(data.subarray(6))));
    start = image.indexOf(FILL, end);
  }
  return Buffer.concat([...parts, Buffer.from([FILL, END_OF_IMAGE])]);
}

const startsWithAny = (data: Buffer, names: readonly string[]) =>
  names.some((name) => data.toString('latin1', 0, name.length) === name);

/** Where the pixels that begin here end: at the next marker that is not one of theirs. */
function endOfScan(image: Buffer, from: number): number {
  let at = image.indexOf(FILL, from);
  while (at >= 0 && isBare(image[at + 1] ?? END_OF_IMAGE)) at = image.indexOf(FILL, at + 2);
  return at < 0 ? image.length : at;
}

const ORIENTATION = 0x0112;

/** 1 to 8; 1, which is upright, where none can be read. */
function readOrientation(tiff: Buffer): number {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.length);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  try {
    const directory = view.getUint32(4, isLittle);
    for (let entry = 0; entry < view.getUint16(directory, isLittle); entry++) {
      const at = directory + 2 + entry * 12;
      if (view.getUint16(at, isLittle) === ORIENTATION) return view.getUint16(at + 8, isLittle);
    }
  } catch (error) {
    // It points behind its end.
    if (!(error instanceof RangeError)) throw error;
  }
  return 1;
}

/** EXIF that says this and nothing else; nothing for an image that is upright. */
function orientationSegment(orientation: number): Buffer {
  if (orientation < 2 || orientation > 8) return Buffer.alloc(0);
  const segment = Buffer.from(
    'ffe100224578696600004d4d002a00000008000101120003000000010000000000000000',
    'hex',
  );
  segment.writeUInt16BE(orientation, 28);
  return segment;
}

const PNG_CHUNKS = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'cICP',
  'sBIT',
]);

function stripPng(image: Buffer): Buffer {
  const parts = [image.subarray(0, 8)];
  for (let at = 8; at + 12 <= image.length; ) {
    const end = at + 12 + image.readUInt32BE(at);
    const name = image.toString('latin1', at + 4, at + 8);
    if (PNG_CHUNKS.has(name)) parts.push(image.subarray(at, end));
    if (name === 'IEND') break;
    at = end;
  }
  return Buffer.concat(parts);
}

const WEBP_CHUNKS = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** Flags of VP8X that announce EXIF and XMP. */
const WEBP_METADATA = 0x0c;

function stripWebp(image: Buffer): Buffer {
  const parts = [image.subarray(0, 12)];
  const length = Math.min(image.length, image.readUInt32LE(4) + 8);
  for (let at = 12; at + 8 <= length; ) {
    const size = image.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (WEBP_CHUNKS.has(image.toString('latin1', at, at + 4))) parts.push(image.subarray(at, end));
    at = end;
  }
  const stripped = Buffer.concat(parts);
  stripped.writeUInt32LE(stripped.length - 8, 4);
  if (stripped.toString('latin1', 12, 16) === 'VP8X') stripped[20] = (stripped[20] ?? 0) & ~WEBP_METADATA;
  return stripped;
}
