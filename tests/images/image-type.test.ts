import { expect, test } from 'vitest';
import { sniffImageType } from '../../lib/images/names/media.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

test.each([
  ['jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
  ['png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
  ['webp', 'RIFF\0\0\0\0WEBPVP8 '],
])('%s is told by its first bytes', (type, text) => {
  expect(sniffImageType(bytes(text))).toBe(type);
});

test.each([
  ['nothing', ''],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['GIF with a JPEG behind', 'GIF89a\xff\xd8\xff'],
  ['HTML before a PNG', '<script>\x89PNG\r\n\x1a\n'],
  ['a sound file of the same container', 'RIFF\0\0\0\0WAVEfmt '],
  ['half a PNG head', '\x89PNG\r\n'],
])('%s is taken for nothing', (_, text) => {
  expect(sniffImageType(bytes(text))).toBeNull();
});
