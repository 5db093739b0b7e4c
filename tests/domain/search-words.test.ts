import { describe, expect, test } from 'vitest';
import { isCanonicalMake, makesMeant, modelsMeant, searchTerms } from '../../lib/domain/search-words.ts';

const NAMES = [
  { make: 'Freightliner', model: 'Cascadia' },
  { make: 'Freightliner', model: 'Cascadia 126' },
  { make: 'Freightliner', model: 'M2 106' },
  { make: 'Kenworth', model: 'T680' },
  { make: 'Kenworth', model: 'T880' },
  { make: 'Peterbilt', model: '389' },
  { make: 'Western Star', model: '4900' },
  { make: 'Kalmar', model: 'Ottawa T2' },
  { make: 'Hino', model: '' },
];

/** A term as text: `a | b c`, beginnings marked by a star. */
const told = (query: string) =>
  searchTerms(query, NAMES).map((term) =>
    term.map((words) => words.map(({ text, prefix }) => (prefix ? `${text}*` : text)).join(' ')).join(' | '),
  );

describe('words that are looked for', () => {
  test.each<[string, string[]]>([
    ['Cascadia', ['Cascadia']],
    ['casc', ['casc*']],
    ['casacdia', ['casacdia* | cascadia']],
    ['freigtliner', ['freigtliner* | freightliner']],
    ['peterbuilt 389', ['peterbuilt* | peterbilt', '389']],
    ['pete', ['pete*']],
    ['kw', ['kw* | kenworth']],
    ['KW T-680', ['KW* | kenworth', 'T-680* | T680']],
    ['wstr', ['wstr* | western star']],
    ['chevy', ['chevy* | chevrolet']],
    ['hion', ['hion* | hino']],
    ['T690', ['T690*']],
    ['2019 red dump', ['2019', 'red*', 'dump']],
    ['1FUJGLDR3H9999999', ['1FUJGLDR3H9999999*']],
    ['!& | () :* <-> \'"\\', []],
  ])('%s', (query, expected) => {
    expect(told(query)).toEqual(expected);
  });

  test('a query of very many words is cut to twelve', () => {
    expect(told('a1 '.repeat(100))).toHaveLength(12);
  });
});

test.each([
  ['chevy', true],
  ['Freghtliner', true],
  ['Unheard Of', false],
])('%s is a make that needs no look at the account: %s', (make, expected) => {
  expect(isCanonicalMake(make)).toBe(expected);
});

test.each<[string, string[]]>([
  ['chevy', ['Chevrolet']],
  ['GM', ['Chevrolet', 'GMC']],
  ['freightliner llc', ['Freightliner']],
  ['KALMAR', ['Kalmar']],
  ['Kallmar', ['Kalmar']],
  ['Unheard Of', ['Unheard Of']],
])('make=%s means %j', (text, expected) => {
  expect(makesMeant(text, NAMES)).toEqual(expected);
});

test.each<[string, string[] | null, string[]]>([
  ['cascadia', null, ['Cascadia']],
  ['CASCADIA-126', ['Freightliner'], ['Cascadia 126']],
  ['Cascadai', null, ['Cascadia']],
  ['cascadia', ['Kenworth'], ['cascadia']],
  ['Kenworth T680', ['Kenworth'], ['T680']],
  ['t-680', null, ['T680']],
  ['T690', null, ['T690']],
  ['M2-106', null, ['M2 106']],
])('model=%s of %j means %j', (text, makes, expected) => {
  expect(modelsMeant(text, makes, NAMES)).toEqual(expected);
});
