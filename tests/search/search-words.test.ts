import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { QueryFilters } from '../../lib/search/request.ts';
import { readQuery } from '../../lib/search/words/read-query.ts';
import { readProbes, splitColumns } from '../truth/fresh-probes.ts';

/** Beside those of the lot: models that are one's beginning, and what accounts call a truck or two. */
const OTHERS = `Freightliner ; Cascadia
Freightliner ; Cascadia 126
Western Star ; 4900
Hino ;
International ; ProStar
Grumman ; P700
Utility ; 3000R
Utility ; Reefer trailer 53'
Utility ; Water truck 4000
Water Co ; Dump truck`.split('\n');
const NAMES = [...readProbes('lot').map(({ text }) => text), ...OTHERS].map((line) => {
  const [make = '', model = ''] = splitColumns(line);
  return { make, model };
});

/** A term as text: `a | b c`, beginnings marked by a star. */
const terms = (query: string) =>
  readQuery(query, [], new Set()).terms.map((term) =>
    term.map((words) => words.map(({ text, prefix }) => (prefix ? `${text}*` : text)).join(' ')).join(' | '),
  );

describe('words that are looked for', () => {
  test.each<[string, string[]]>([
    ['casc', ['casc*']],
    ['T690', ['t690*']],
    ['KW T-680', ['kw*', 't* 680 | t680*']],
    ['red', ['red | rojo | roja | rouge']],
    ['Montréal', ['montreal*']],
    ['1FUJGLDR3H9999999', ['1fujgldr3h9999999*']],
    ['!& | () :* <-> \'"\\', []],
    ['wetkit', ['wetkit* | wet kit | wet line | wetline']],
    ['rail gate', ['rail* | railgate', 'gate* | railgate']],
    ['gate', ['gate*']],
  ])('%s', (query, expected) => {
    expect(terms(query)).toEqual(expected);
  });

  test('a long query is cut to twelve words and names those left out', () => {
    const { words, dropped } = readQuery('a1 b2 c3 d4 e5 f6 g7 h8 i9 j10 k11 l12 m13 n14', [], new Set());
    expect([words.length, terms('a1 '.repeat(100)).length, dropped]).toEqual([12, 12, ['m13', 'n14']]);
  });
});

/** `make:Hino; words:red; not cab:Sleeper; dropped:no rust`, each list by the alphabet. */
function describeReading(query: string, filterNames: string[] = []): string {
  const { filters, words, without, dropped = [] } = readQuery(query, NAMES, new Set(filterNames));
  const list = (of: QueryFilters) =>
    Object.entries<readonly unknown[] | undefined>(of)
      .map(([name, values]) => `${name}:${[...(values ?? [])].sort().join(',')}`)
      .sort();
  return [
    ...list(filters),
    ...(words.length > 0 ? [`words:${words.join(' ')}`] : []),
    ...list(without?.filters ?? {}).map((filter) => `not ${filter}`),
    ...(without?.terms ?? []).map((forms) => `not ${forms[0]?.[0]?.text}`),
    ...dropped.map((text) => `dropped:${text}`),
  ].join('; ');
}

const QUERIES = readFileSync(new URL('queries.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => /^(.*) =(?: (.*))?$/.exec(line)?.slice(1) ?? []);

describe('a query as filters', () => {
  test.each(QUERIES)('%s = %s', (query = '', expected = '') => {
    expect(describeReading(query)).toBe(expected);
  });

  test.each([
    ['freightliner cascadia 2019', ['model', 'year'], 'make:Freightliner; words:cascadia 2019'],
    ['used tx diesel dump', ['body_type', 'state', 'fuel_type', 'condition'], 'words:used tx diesel dump'],
    ['under 50,000 usd', ['currency'], 'price_max:50000'],
    ['dump under 50k', ['price'], 'body_type:dump; words:under 50k'],
  ])('%s: what is a filter already is not read again', (query, filterNames, expected) => {
    expect(describeReading(query, filterNames)).toBe(expected);
  });
});
