import { RECORD } from '../../../lib/truck/record/record.ts';
import { toList } from '../../../lib/truck/text/table.ts';
import * as fc from '../oracles/fast-check.ts';

/** JSON that no good client sends: structure-aware, so that it gets past the first check. */

const RAW = /"@raw:([^"@]*)@"/g;
const raw = (text: string) => `@raw:${text}@`;

/** JSON text in which some numbers are ones that JSON.stringify cannot write. */
export const toText = (value: unknown): string => JSON.stringify(value).replace(RAW, '$1') ?? 'null';

const NUMBERS = toList(`
  1e308, 1e999, -1e999, -0, 9007199254740993, 2147483648, -2147483649, 1e-400, 0.1,
  1.5, 99999999999999999999999, -1, 0, 1e15, 2019.0, 1E+5, 10001.4, 68900.999
`);
const TEXTS = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u200b\ufeff',
  '𝟐𝟎𝟏𝟗',
  'Ｆｏｒｄ',
  'Fοrd',
  'ﬁ',
  'İ',
  'ß',
  'e\u0301'.repeat(300),
  '🚚'.repeat(100),
  'x'.repeat(70_000),
  ' '.repeat(10_000),
  '\n\r\t',
  '\u2028\u0085',
  "'; drop table listings; --",
  '{}',
  '[]',
  'null',
  'NaN',
  'Infinity',
  '-',
  '1e5',
  '0x10',
  '$',
  '1,2,3',
  '٣٤',
  '½',
  '%00',
  '\\u0000',
  '\\',
  '"',
  '<b>',
  '{"a":1}',
  '{a,"b"}',
  'available',
  'class_99',
  '2b',
  'http://[::1',
  'data:x',
  'https://a.example/\u0000',
  'https://\ud800.example',
  'file:///etc/passwd',
  `https://a.example/${'p'.repeat(3_000)}`,
];
const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  '',
  '\u0000',
  '\ud800',
  'k'.repeat(500),
];
const FIELD_KEYS = [...Object.values(RECORD).flatMap(({ names }): readonly string[] => names), 'dedup_hash'];

function nest(levels: number, inner: unknown): unknown {
  let value = inner;
  for (let level = 0; level < levels; level += 1) value = level % 2 ? [value] : { a: value };
  return value;
}

const scalar = fc.oneof(
  fc.constantFrom(...NUMBERS.map(raw)),
  fc.constantFrom<unknown>(...TEXTS),
  fc.constantFrom<unknown>(null, true, false),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const key = fc.oneof(
  fc.constantFrom(...KEYS),
  fc.constantFrom(...FIELD_KEYS),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const toObject = <Value>(value: fc.Arbitrary<Value>) =>
  fc.array(fc.tuple(key, value), { maxLength: 5 }).map((entries) => Object.fromEntries(entries));

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 6 }) },
  { weight: 1, arbitrary: toObject(scalar) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 26 }), scalar)
      .map(([levels, inner]) => nest(levels, inner)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      [],
      {},
      [[]],
      { toString: null, valueOf: null },
      [{ toString: null, valueOf: null }],
      Array(150).fill('https://a.example/x'),
      Array(300).fill(null),
    ),
  },
);

/** Up to five members of a good object replaced or added. */
export function mutated(good: () => object, keys: readonly string[]): fc.Arbitrary<object> {
  const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...keys) }, { weight: 1, arbitrary: key });
  return fc
    .array(fc.tuple(name, hostileValue), { minLength: 1, maxLength: 5 })
    .map((changes) => Object.fromEntries([...Object.entries(good()), ...changes]));
}

export const hostileRecord = (good: () => object): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 19, arbitrary: mutated(good, FIELD_KEYS) }, { weight: 1, arbitrary: hostileValue });

/** The same inputs in every run. */
export const sample = <Value>(arbitrary: fc.Arbitrary<Value>, numRuns: number): Value[] =>
  fc.sample(arbitrary, { numRuns, seed: 20_261_121 });
