import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { FEED_FORMATS } from '../../../lib/feeds/schemas/feed-files.ts';
import * as fc from '../../support/oracles/fast-check.ts';
import { newFolder } from './read.ts';

const folder = await newFolder();

/** What makes up files of every kind, in any order. */
const piece = fc.constantFrom(
  'VIN,Year,Make\n',
  '1FUJGLDR3HLAB1234',
  ',',
  ';',
  '\t',
  '|',
  '"',
  '""',
  '\n',
  '\r\n',
  '\r',
  ' ',
  '[',
  ']',
  '{',
  '}',
  ':',
  '"vin":',
  '"A"',
  '{"vin":"A"}',
  '[{"vin":"A"},',
  '\\',
  '\\u0000',
  '1e999',
  '<x>',
  '</x>',
  '<truck>',
  '</truck>',
  '<vin>',
  '</vin>',
  '<vin/>',
  '<![CDATA[',
  ']]>',
  '&amp;',
  '&',
  '<',
  '>',
  '<?xml version="1.0"?>',
  '<!DOCTYPE x>',
  '<!--',
  '-->',
  ' a="b"',
  '\u0000',
  'é',
  '\ufeff',
  '<__proto__>',
  'sep=;\n',
);
const text = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''));
const bytes = fc.oneof(
  text.map((content) => Buffer.from(content)),
  text.map((content) => Buffer.from(content, 'utf16le')),
  text.map((content) => gzipSync(content)),
  text.map((content) => gzipSync(content).subarray(0, -7)),
  fc.uint8Array({ maxLength: 60 }).map((content) => Buffer.from(content)),
  fc.uint8Array({ maxLength: 40 }).map((content) => Buffer.concat([Buffer.from('PK\x03\x04'), content])),
  fc.uint8Array({ maxLength: 40 }).map((content) => Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), content])),
);

test('whatever the bytes and whatever they are said to be: rows, or a fault that says what to do', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, fc.constantFrom(null, ...FEED_FORMATS), async (content, format) => {
      // Anything that is no FeedFault is thrown on.
      expect(await folder.catchFault(content, { format })).toMatch(/^read$|^[a-z_]+: .+/);
    }),
    { numRuns: 600 },
  );
});
