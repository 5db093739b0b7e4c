import { expect, test } from 'vitest';
import { readWithLess } from '../../lib/search/read-with-less.ts';
import { readByNames } from '../../lib/search/search-filters.ts';

test.each([
  ['2019', 0],
  ['2019 zorbex', 1],
])('what is asked for by filters alone is not searched for once more: %s', (q, searches) => {
  const query = { q, sort: 'newest', limit: 25 } as const;
  expect([...readWithLess(query, [], readByNames(query, []))]).toHaveLength(searches);
});
