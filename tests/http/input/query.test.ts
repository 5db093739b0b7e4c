import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readQuery, toParameters } from '../../../lib/http/input/query.ts';
import { SearchQuery } from '../../../lib/search/schemas.ts';

const parseQuery = (url: string, schema: z.ZodMiniType = SearchQuery) =>
  toParameters(readQuery(url), { path: '/v1/x/{id}/{run}', query: schema });

test.each([
  ['http://x/v1', {}],
  ['/v1?make=Ford&make=GMC&make=Ram%2CDodge', { make: 'Ford,GMC,Ram,Dodge' }],
  ['/v1?limit=1&make=Ford#limit=2', { limit: '1', make: 'Ford' }],
  ['/v1?q=a+b%20c', { q: 'a b c' }],
])('%s: repeated lists join', (url, query) => {
  expect(parseQuery(url)).toEqual(query);
});

test.each([
  ['limit=1&limit=2', 'conflicting'],
  ['limit=1&limit=1', 'conflicting'],
  ['q=dump&make=Ford&q=', 'conflicting'],
  ['Make=1', 'unknown_parameter'],
  ['__proto__=1', 'unknown_parameter'],
  ['toString=1', 'unknown_parameter'],
])('%s: refused by name as %s', (query, reason) => {
  const details = expect.objectContaining({ field: query.split('=')[0], reason });
  expect(() => parseQuery(`/v1?${query}`)).toThrow(
    expect.objectContaining({ code: 'INVALID_PARAMS', details }),
  );
});

test('what rewrites leave is dropped, unless the route knows it', () => {
  const schema = z.object({ make: z.optional(z.string()), id: z.optional(z.string()) });
  expect(parseQuery('/?path=x&run=r1&id=7&make=Ford', schema)).toEqual({ id: '7', make: 'Ford' });
});
