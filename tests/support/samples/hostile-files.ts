import { gzipSync } from 'node:zlib';
import type { FeedFormat } from '../../../lib/feeds/schemas/feed-files.ts';

/** Files made to cost a reader time or memory. Each was seen to hang or kill it, or is a relative of one that did. */

export interface HostileFile {
  name: string;
  format: FeedFormat;
  content: Buffer;
}

const VIN = '1FUJGLDR3HLAB1234';
const file = (name: string, format: FeedFormat, content: string | Buffer): HostileFile => ({
  name,
  format,
  content: Buffer.from(content),
});

const tables = (separator: string, format: FeedFormat): HostileFile[] => [
  file('one column name 120,000 times', format, `a${separator}`.repeat(120_000).concat('VIN\n1\n')),
  file(
    '400,000 cells after one quote',
    format,
    `VIN${separator}Year${separator}Make\n"A" ${`${separator}x`.repeat(400_000)}\nB${separator}2020\n`,
  ),
  file(
    'a quote in every cell',
    format,
    `VIN${separator}Year${separator}Make\n${`"a${separator}`.repeat(300_000)}\n`,
  ),
  file(
    'a quote in every line',
    format,
    `VIN${separator}Year${separator}Make\n${`A${separator}"17 in${separator}x\n`.repeat(20_000)}`,
  ),
  file('quotes alone', format, `VIN${separator}Year\n${'"'.repeat(1_000_000)}`),
  file('900 columns and short rows', format, `${`c${separator}`.repeat(900)}VIN\n${'x\n'.repeat(40_000)}`),
  file('line ends alone', format, `VIN${separator}Year\n${'\n'.repeat(100_000)}`),
];

export function hostileFiles(): HostileFile[] {
  return [
    ...tables(',', 'csv'),
    ...tables('\t', 'tsv').slice(0, 2),
    ...tables('|', 'pipe').slice(0, 2),
    file('invalid bytes', 'csv', Buffer.concat([Buffer.from('VIN,Year\n'), Buffer.alloc(1_000_000, 0xff)])),
    file(
      'combining marks',
      'csv',
      gzipSync(`VIN,Model,Color\n${`${VIN},a${'\u0327\u0301'.repeat(20_000)},b\n`.repeat(4)}`),
    ),
    file('a list for every member', 'json', gzipSync(`{${'"a":[],'.repeat(500_000)}"b":1}`)),
    file('deep objects around nothing', 'json', '{"a":'.repeat(300_000)),
    file('deep lists in a row', 'json', `[{"vin":"${VIN}","x":${'['.repeat(1_000_000)}`),
    file('a million lists in a row', 'json', `[{"vin":"${VIN}","x":[${'[],'.repeat(500_000)}[]]}]`),
    file('rows that are nothing', 'json', `[${'1,'.repeat(30_000)}1]`),
    file('a text without end', 'json', `[{"vin":"${'\\u0041'.repeat(200_000)}`),
    file('deep objects on a line', 'ndjson', `{"vin":"A"}\n${'{"a":'.repeat(300_000)}\n`),
    file('a member for every letter', 'ndjson', `{"vin":"A"}\n{${'"a":1,'.repeat(200_000)}"b":1}\n`),
    file('sixty comments', 'xml', `${'<!---->'.repeat(60)}<x`),
    file('100,000 comments', 'xml', `${'<!-- a -->\n'.repeat(100_000)}<x><truck><vin>A</vin></truck></x>`),
    file('nested elements', 'xml', '<a>'.repeat(20_000)),
    file('nested elements in a row', 'xml', `<x><truck><vin>A</vin>${'<a>'.repeat(200_000)}`),
    file('100,000 elements in a row', 'xml', `<x><truck><vin>A</vin>${'<a/>'.repeat(100_000)}</truck></x>`),
    file('an element of 200,000 attributes', 'xml', `<x><truck ${attributes(200_000)}/></x>`),
    file('15,000 kinds of elements', 'xml', `<x>${kinds(15_000)}</x>`),
    file('a tag without end', 'xml', `<x><truck ${' '.repeat(1_000_000)}`),
    file('a declaration without end', 'xml', `<?xml ${' encoding='.repeat(50_000)}`),
  ];
}

const attributes = (count: number) => Array.from({ length: count }, (_, at) => `a${at}=""`).join(' ');
const kinds = (count: number) =>
  Array.from({ length: count }, (_, at) => `<k${at}><vin>A</vin></k${at}>`).join('');

/** Files that are read quickly, and whose columns or cells are costly to make sense of. */
export function costlyColumns(): HostileFile[] {
  const rows = (count: number, width: number, name: (at: number) => string) =>
    Array.from({ length: count }, (_, row) =>
      JSON.stringify(
        Object.fromEntries(Array.from({ length: width }, (_, at) => [name(row * width + at), 1])),
      ),
    ).join('\n');
  const table = (columns: string[], cell: string) =>
    [['vin', ...columns], ...Array.from({ length: 50 }, () => [VIN, ...columns.map(() => cell)])]
      .map((cells) => `${cells.join(',')}\n`)
      .join('');
  const around = `{"${'a'.repeat(100_000)}":${rows(1, 1_990, (at) => `b${at}`)}}`;
  return [
    file(
      '15,000 columns of prices',
      'ndjson',
      rows(10, 1_500, (at) => `a${at}.price`),
    ),
    file(
      '10,000 columns of two makes',
      'ndjson',
      rows(10, 1_000, (at) => `make${at}/mfr${at}/x${at}`),
    ),
    file(
      'names of letters that are eighteen',
      'ndjson',
      rows(2, 1_900, (at) => `${'\ufdfa'.repeat(60)}${at}`),
    ),
    file(
      '19,000 names of such letters',
      'ndjson',
      rows(10, 1_900, (at) => `\ufb00${at}${'\ufdfa'.repeat(8)}`),
    ),
    file('a long name around 2,000', 'ndjson', `${around}\n${around}`),
    file(
      '998 states of such letters',
      'csv',
      table(
        Array.from({ length: 998 }, (_, at) => `State (${at})`),
        '\ufdfa'.repeat(60),
      ),
    ),
    file(
      '1,900 titles of such letters',
      'ndjson',
      Array.from({ length: 20 }, () =>
        JSON.stringify(
          Object.fromEntries(
            Array.from({ length: 1_900 }, (_, at) => [`t${at}`, `2015 ${'\ufdfa'.repeat(190)}`]),
          ),
        ),
      ).join('\n'),
    ),
    file(
      'a price of a million letters',
      'ndjson',
      JSON.stringify({ vin: VIN, price: '\ufdfa'.repeat(1_000_000) }),
    ),
  ];
}
