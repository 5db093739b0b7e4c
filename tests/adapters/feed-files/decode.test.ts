import { expect, test } from 'vitest';
import { decoded, detectEncoding, type Encoding } from '../../../lib/adapters/feed-files/decode.ts';
import * as fc from '../../support/oracles/fast-check.ts';

async function decodeText(
  bytes: Uint8Array,
  encoding: Encoding,
  cuts: readonly number[] = [],
): Promise<string> {
  const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other);
  async function* pieces() {
    for (const [index, from] of [0, ...places].entries())
      yield bytes.subarray(from, places[index] ?? bytes.length);
  }
  const texts: string[] = [];
  for await (const text of decoded(pieces(), encoding)) texts.push(text);
  return texts.join('');
}

const UTF8: Encoding = { name: 'utf-8', skip: 0, declared: false };
const cuts = fc.array(fc.nat(1_000), { maxLength: 8 });

test('sound UTF-8 comes out as it went in, wherever it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), cuts, async (raw, at) => {
      const text = raw.toWellFormed();
      expect(await decodeText(Buffer.from(text), UTF8, at)).toBe(text);
    }),
  );
});

test('any bytes come out alike wherever they are cut, and no byte is lost', async () => {
  const byte = fc.constantFrom(
    0x41,
    0x80,
    0xbf,
    0xc3,
    0xa9,
    0xe2,
    0x82,
    0xac,
    0xed,
    0xa0,
    0xf0,
    0x9f,
    0x98,
    0xf4,
    0x90,
    0xff,
  );
  await fc.assert(
    fc.asyncProperty(fc.array(byte, { maxLength: 40 }), cuts, async (list, at) => {
      const bytes = Uint8Array.from(list);
      const whole = await decodeText(bytes, UTF8);
      expect(await decodeText(bytes, UTF8, at)).toBe(whole);
      expect(whole).not.toContain('\ufffd');
    }),
    { numRuns: 1_000 },
  );
});

test('UTF-16 and its byte order mark are read wherever they are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), cuts, async (text, at) => {
      const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
      const encoding = detectEncoding(bytes);
      expect(encoding).toEqual({ name: 'utf-16le', skip: 2, declared: false });
      expect(await decodeText(bytes, encoding, at)).toBe(text);
    }),
  );
});

test('every byte of Windows-1252 is what it stands for', async () => {
  const western: Encoding = { name: 'windows-1252', skip: 0, declared: true };
  const all = Uint8Array.from({ length: 256 }, (_, index) => index);
  const text = await decodeText(all, western);
  expect([text.length, text[0x80], text[0x99], text[0xe9]]).toEqual([256, '€', '™', 'é']);
  // Alone, as between sound UTF-8, each byte is read the same.
  for (const byte of [0x80, 0x93, 0xe9, 0xff])
    expect(await decodeText(Uint8Array.of(0x41, byte), UTF8)).toBe(`A${text[byte]}`);
});
