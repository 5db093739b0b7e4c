import { expect, test } from 'vitest';
import { sniffImageType } from '../../../lib/domain/images/image-type.ts';
import * as fc from '../../support/oracles/fast-check.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

test.each([
  ['jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
  ['jpeg', '\xff\xd8\xff\xe1Exif'],
  ['png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
  ['webp', 'RIFF\0\0\0\0WEBPVP8 '],
  ['webp', 'RIFF\0\0\0\0WEBPVP8L'],
])('%s is told by its first bytes', (type, text) => {
  expect(sniffImageType(bytes(text))).toBe(type);
});

test.each([
  ['nothing', ''],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['SVG behind an XML head', '<?xml version="1.0"?><svg/>'],
  ['GIF', 'GIF89a\x01\0\x01\0'],
  ['GIF with a JPEG behind', 'GIF89a\xff\xd8\xff'],
  ['HTML', '<!doctype html><img src="a.jpg">'],
  ['HTML before a PNG', '<script>\x89PNG\r\n\x1a\n'],
  ['PDF', '%PDF-1.7'],
  ['TIFF', 'II*\0'],
  ['BMP', 'BM'],
  ['AVIF', '\0\0\0 ftypavif'],
  ['HEIC', '\0\0\0 ftypheic'],
  ['JPEG XL', '\xff\x0a'],
  ['JPEG 2000', '\0\0\0\x0cjP  '],
  ['a sound file of the same container', 'RIFF\0\0\0\0WAVEfmt '],
  ['WebP without a picture', 'RIFF\0\0\0\0WEBPXXXX'],
  ['half a PNG head', '\x89PNG\r\n'],
  ['a PNG whose line ends were translated', '\x89PNG\n\x1a\n'],
  ['ZIP', 'PK\x03\x04'],
  ['ELF', '\x7fELF'],
  ['ImageMagick script', 'push graphic-context'],
])('%s is taken for nothing', (_, text) => {
  expect(sniffImageType(bytes(text))).toBeNull();
});

test('whatever the bytes, it answers', () => {
  fc.assert(fc.property(fc.uint8Array(), (some) => void sniffImageType(some)));
});
