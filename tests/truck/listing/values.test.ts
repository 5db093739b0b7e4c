import { describe, expect, test } from 'vitest';
import { ATTRIBUTE_LIMITS, readAttributes } from '../../../lib/truck/listing/attributes.ts';
import { readZip } from '../../../lib/truck/place/place.ts';
import { cleanBlock, cleanLine, cut, foldKey } from '../../../lib/truck/text/text.ts';
import { readImages, readUrl } from '../../../lib/truck/text/url.ts';
import * as fc from '../../support/oracles/fast-check.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 80 });

describe('text', () => {
  test('cleaning is idempotent and leaves no NUL, control character or half character', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, max) => {
        for (const clean of [cleanLine, cleanBlock]) {
          const once = clean(text);
          expect(once.isWellFormed()).toBe(true);
          expect(once.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
          expect(clean(once)).toBe(once);
          expect(cut(once, max).isWellFormed()).toBe(true);
          expect(cut(once, max).length).toBeLessThanOrEqual(max);
        }
      }),
    );
  });

  test('combining marks piled on a letter end at thirty: sorting a million of them would take minutes', () => {
    const piled = `a${'\u0327\u0301'.repeat(500_000)}`;
    for (const clean of [cleanLine, cleanBlock]) expect(clean(piled)).toHaveLength(30);
    expect(cleanLine('Québec Trucks')).toBe('Québec Trucks');
    expect(foldKey(piled)).toHaveLength(1);
  });
});

describe('URLs and images', () => {
  test.each([
    'javascript:alert(1)',
    '//a.example/x',
    'https://user:pass@a.example/',
    `https://a.example/${'x'.repeat(2_000)}`,
    5,
  ])('%j is no image', (value) => {
    expect(readUrl(value)).toBeNull();
  });

  test('a list, a list of objects and a separated text are the same images', () => {
    const urls = ['https://a.example/1,2.jpg', 'https://a.example/3.jpg'];
    for (const images of [urls, urls.map((url) => ({ url })), urls.join(', '), urls.join(';\n')])
      expect(readImages(images)).toEqual({ urls, dropped: 0 });
  });
});

test('of an image’s members its address comes before the page that it links to', () => {
  const url = 'https://a.example/1.jpg';
  expect(readImages([{ link: 'https://a.example/truck', text: 'Front', URL: url }]).urls).toEqual([url]);
});

test.each([
  [2134, '02134'],
  ['123456', null],
])('ZIP %j is %j', (value, zip) => {
  expect(readZip(value)).toBe(zip);
});

describe('attributes', () => {
  test('dangerous keys are dropped at every depth and pollute nothing', () => {
    const hostile: object = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":1,"prototype":2,"a":{"__proto__":{"polluted":1}},"b":1}',
    );
    const { attributes, dropped } = readAttributes(Object.entries(hostile));
    expect(attributes).toEqual({ b: 1 });
    expect(dropped).toEqual(['__proto__', 'constructor', 'prototype', 'a']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(attributes)).toBe(Object.prototype);
  });

  test('what is too deep, too big, too many or no JSON is dropped whole', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
    const big = 'x'.repeat(ATTRIBUTE_LIMITS.size);
    const { attributes, dropped } = readAttributes([
      ['fits', deep(ATTRIBUTE_LIMITS.depth - 1)],
      ['deep', deep(ATTRIBUTE_LIMITS.depth)],
      ['big', big],
      ['infinite', [Number.POSITIVE_INFINITY]],
      ['k'.repeat(ATTRIBUTE_LIMITS.keyLength + 1), 1],
      ['small', 'y'],
    ]);
    expect(Object.keys(attributes)).toEqual(['fits', 'small']);
    expect(dropped).toHaveLength(4);
    const members = Array.from({ length: 150 }, (_, index) => [`k${index}`, index] as const);
    expect(Object.keys(readAttributes(members).attributes)).toHaveLength(ATTRIBUTE_LIMITS.keys);
    expect(readAttributes([['loud', ['a\u0000b\ud800']]]).attributes).toEqual({ loud: ['ab\ufffd'] });
  });
});
