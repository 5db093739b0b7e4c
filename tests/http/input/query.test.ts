import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { checkParameters, readQuery, rewriteResidue } from '../../../lib/http/input/query.ts';

describe('readQuery', () => {
  test.each([
    ['http://x/v1', {}],
    ['http://x/v1?', {}],
    ['/v1?make=Ford&make=GMC&make=Ram%2CDodge', { make: 'Ford,GMC,Ram,Dodge' }],
    ['/v1?a=1&b=2&a=3#c=4', { a: '1,3', b: '2' }],
    ['/v1?q=a+b%20c', { q: 'a b c' }],
  ])('%s', (url, query) => {
    expect(readQuery(url)).toEqual(query);
  });

  test('a parameter named like a member of every object is a parameter', () => {
    expect(Object.keys(readQuery('/?__proto__=1&constructor=2'))).toEqual(['__proto__', 'constructor']);
  });
});

describe('checkParameters', () => {
  const schema = z.object({ make: z.optional(z.string()), id: z.optional(z.string()) });
  const check = (url: string) => checkParameters(readQuery(url), schema, rewriteResidue('/v1/x/{id}/{run}'));

  test('drops what rewrites leave, unless the route knows it', () => {
    expect(check('/?path=x&run=r1&id=7&make=Ford')).toEqual({ id: '7', make: 'Ford' });
  });

  test.each(['Make', 'makes', '__proto__', 'toString'])('%s is refused by name', (name) => {
    expect(() => check(`/?${name}=1`)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }));
  });
});
