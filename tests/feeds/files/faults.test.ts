import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { unpack } from '../../../lib/feeds/files/unpack.ts';
import { FEED_FORMATS } from '../../../lib/feeds/schemas/feed-files.ts';
import * as fc from '../../support/oracles/fast-check.ts';
import { makeZip, newFolder } from './read.ts';

/** Files that are refused, with the reason. */

const folder = await newFolder();

const CSV = 'VIN,Year,Make\nA1,2020,Ford\nB2,2021,Mack\n';
const ZIP = await makeZip({ 'a.csv': CSV });
const BOMB = Buffer.alloc(40 * 1024 * 1024, '[');
const BOMBS = [gzipSync(BOMB), await makeZip({ 'a.json': BOMB })];

/** With the flag of encryption in the central directory. */
const FLAGS = ZIP.indexOf('PK\x01\x02') + 8;
const LOCKED = Buffer.from(ZIP).fill(9, FLAGS, FLAGS + 1);

test.each<[string, ...(string | Buffer)[]]>([
  ['web_page', '<!DOCTYPE html><html><body>Sign in</body></html>'],
  [
    'format_unknown',
    '%PDF-1.7\nTitle,Pages,Made\nTrucks,2,2020\n',
    'VIN,Year,Make\0\0\nA,2020,Ford\n',
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 1, 2, 3]),
  ],
  [
    'format_unreadable',
    '{"message": "no vehicles here", "codes": {"a": 1}, "n": [1, 2]}\n \n',
    '[{"vin": "A"}, {"vin": oops}]',
    '<root><truck><vin>A</vin></truck></root><again/>',
  ],
  [
    'file_truncated',
    '[{"vin":"A"},',
    '{"rows":[{"vin":"A"}]',
    '{"vin":"A"}\n{"vin":',
    'VIN,Text\nA,"begun\n',
    '<x><truck><vin>A</vin></truck>',
    gzipSync(CSV.repeat(100)).subarray(0, 60),
    ZIP.subarray(0, 60),
  ],
  ['file_damaged', Buffer.concat([gzipSync(CSV).subarray(0, 30), Buffer.alloc(40, 7)])],
  ['zip_unusable', await makeZip({ 'a.jpg': 'x', 'b/.hidden': 'y' }), LOCKED],
  ['zip_bomb', ...BOMBS],
  ['json_too_large', `[${' '.repeat(64 * 1024 * 1024)}0]`, `[${'0,'.repeat(4_000_000)}0]`],
  ['nested_too_deep', `<a><vin/>${'<a>'.repeat(40)}`],
  ['too_many_columns', `VIN${',x'.repeat(1_000)}\n`],
  [
    'dtd_refused',
    '<!DOCTYPE x SYSTEM "file:///etc/passwd"><x><truck><vin>&a;</vin></truck></x>',
    `<!DOCTYPE lolz [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "&a;&a;&a;">]><x><truck><vin>&b;</vin></truck></x>`,
  ],
])('%s', async (reason, ...contents) => {
  for (const content of contents)
    expect(await folder.catchFault(content), String(content).slice(0, 100)).toMatch(
      new RegExp(`^${reason}: .+`),
    );
});

test('no more bytes come out than may, whatever is in the file', async () => {
  for (const content of [...BOMBS, BOMB]) {
    const unpacked = await unpack(await folder.write(content), 1_500_000);
    if ('members' in unpacked) throw new Error('no workbook was sent');
    await expect(buffer(unpacked)).rejects.toMatchObject({ reason: 'too_large' });
  }
});

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
      expect(await folder.catchFault(content, format)).toMatch(/^read$|^[a-z_]+: .+/);
    }),
    { numRuns: 600 },
  );
});
