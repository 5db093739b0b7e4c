import { describe, expect, test } from 'vitest';
import {
  isCanonicalMake,
  makesMeant,
  modelsMeant,
  readQuery,
  searchTerms,
  splitQuery,
} from '../../lib/domain/search/search-words.ts';

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
  searchTerms(splitQuery(query), NAMES).map((term) =>
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

describe('a query as filters', () => {
  const NOTHING_ASKED = { make: null, model: null, year: null, body: null };
  const read = (query: string, asked = {}) => {
    const { terms, body: _, ...filters } = readQuery(query, NAMES, { ...NOTHING_ASKED, ...asked });
    return { ...filters, left: terms.map((term) => term[0]?.map(({ text }) => text).join(' ')) };
  };

  test.each<[string, string | null, string[] | null, number | null, string[]]>([
    ['freightliner cascadia', 'Freightliner', ['Cascadia', 'Cascadia 126'], null, []],
    ['Cascadia 126 red', null, ['Cascadia 126'], null, ['red']],
    ['freigtliner m2-106 2019', 'Freightliner', ['M2 106'], 2019, []],
    ['2019 WESTERN star 4900 white', 'Western Star', ['4900'], 2019, ['white']],
    ['389 peterbuilt', 'Peterbilt', ['389'], null, []],
    ['389', null, null, null, ['389']],
    ['kw t680', null, ['T680'], null, ['kw']],
    ['hino mack', 'Hino', null, null, ['mack']],
    ['hion', null, null, null, ['hion']],
    ['western', null, null, null, ['western']],
    ['kenworth cascadia', 'Kenworth', null, null, ['cascadia']],
    ['casc 2019 2020', null, null, 2019, ['casc', '2020']],
    ['diesel used dump', null, null, null, ['diesel', 'used', 'dump']],
  ])('%s', (query, make, model, year, left) => {
    expect(read(query)).toEqual({ make, model, year, left });
  });

  test.each<[string, string[] | null, string[]]>([
    ['cascadia sleeper white', ['sleeper_tractor'], ['white']],
    ['hino reefer', ['refrigerated_truck'], []],
    ['2019 day', ['day_cab_tractor'], []],
    ['sleeper', null, ['sleeper']],
  ])('%s has the body %j', (query, body, left) => {
    const found = readQuery(query, NAMES, NOTHING_ASKED);
    expect(found.body).toEqual(body);
    expect(found.terms.map((term) => term[0]?.[0]?.text)).toEqual(left);
  });

  test('what is a filter already is not read again', () => {
    expect(read('freightliner cascadia 2019', { make: ['Kenworth'] }).left).toEqual([
      'freightliner',
      'cascadia',
    ]);
    expect(read('freightliner cascadia 2019', { model: ['T680'], year: [2020] })).toEqual({
      ...{ make: 'Freightliner', model: null, year: null },
      left: ['cascadia', '2019'],
    });
    expect(read('hino', { make: ['Hino', 'Kenworth'] })).toMatchObject({ make: 'Hino', left: [] });
  });
});
