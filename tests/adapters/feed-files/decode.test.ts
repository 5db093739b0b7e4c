import { expect, test } from 'vitest';
import { textDecoder } from '../../../lib/feeds/files/decode.ts';
import * as fc from '../../support/oracles/fast-check.ts';

function decodeText(bytes: Uint8Array, cuts: readonly number[] = []): string {
  const decode = textDecoder('utf-8');
  const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other);
  const texts = [0, ...places].map((from, index) =>
    decode(bytes.subarray(from, places[index] ?? bytes.length)),
  );
  return [...texts, decode()].join('');
}

const cuts = fc.array(fc.nat(1_000), { maxLength: 8 });

test('any bytes come out alike wherever they are cut, and no byte is lost', () => {
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
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 40 }), cuts, (list, at) => {
      const bytes = Uint8Array.from(list);
      const whole = decodeText(bytes);
      expect(decodeText(bytes, at)).toBe(whole);
      expect(whole).not.toContain('\ufffd');
    }),
    { numRuns: 1_000 },
  );
});
