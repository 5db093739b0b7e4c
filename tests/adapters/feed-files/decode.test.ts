import { expect, test } from 'vitest';
import { decoded, type Encoding } from '../../../lib/adapters/feed-files/decode.ts';
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
