import { gzipSync } from 'node:zlib';
import type { FeedFormat } from '../../../lib/feeds/schemas/feed-files.ts';

/** Files made to cost a reader time or memory. Each was seen to hang or kill it, or is a relative of one that did. */

const VIN = '1FUJGLDR3HLAB1234';

const files = (format: FeedFormat, contents: Readonly<Record<string, string | Buffer>>) =>
  Object.entries(contents).map(([name, content]) => ({ name, format, content: Buffer.from(content) }));

const times = <Value>(count: number, make: (at: number) => Value) =>
  Array.from({ length: count }, (_, at) => make(at));

const tables = (separator: string, format: FeedFormat) => {
  const head = `VIN${separator}Year${separator}Make\n`;
  return files(format, {
    'one column name 120,000 times': `${`a${separator}`.repeat(120_000)}VIN\n1\n`,
    '400,000 cells after one quote': `${head}"A" ${`${separator}x`.repeat(400_000)}\nB${separator}2020\n`,
    'a quote in every cell': `${head}${`"a${separator}`.repeat(300_000)}\n`,
    'a quote in every line': `${head}${`A${separator}"17 in${separator}x\n`.repeat(20_000)}`,
    'quotes alone': `${head}${'"'.repeat(1_000_000)}`,
    '900 columns and short rows': `${`c${separator}`.repeat(900)}VIN\n${'x\n'.repeat(40_000)}`,
    'line ends alone': `${head}${'\n'.repeat(100_000)}`,
  });
};

export const hostileFiles = () => [
  ...tables(',', 'csv'),
  ...tables('\t', 'tsv').slice(0, 2),
  ...tables('|', 'pipe').slice(0, 2),
  ...files('csv', {
    'invalid bytes': Buffer.concat([Buffer.from('VIN,Year\n'), Buffer.alloc(1_000_000, 0xff)]),
    'combining marks': gzipSync(
      `VIN,Model,Color\n${`${VIN},a${'\u0327\u0301'.repeat(20_000)},b\n`.repeat(4)}`,
    ),
  }),
  ...files('json', {
    'a list for every member': gzipSync(`{${'"a":[],'.repeat(500_000)}"b":1}`),
    'deep objects around nothing': '{"a":'.repeat(300_000),
    'deep lists in a row': `[{"vin":"${VIN}","x":${'['.repeat(1_000_000)}`,
    'a million lists in a row': `[{"vin":"${VIN}","x":[${'[],'.repeat(500_000)}[]]}]`,
    'rows that are nothing': `[${'1,'.repeat(30_000)}1]`,
    'a text without end': `[{"vin":"${'\\u0041'.repeat(200_000)}`,
  }),
  ...files('ndjson', {
    'deep objects on a line': `{"vin":"A"}\n${'{"a":'.repeat(300_000)}\n`,
    'a member for every letter': `{"vin":"A"}\n{${'"a":1,'.repeat(200_000)}"b":1}\n`,
  }),
  ...files('xml', {
    'sixty comments': `${'<!---->'.repeat(60)}<x`,
    '100,000 comments': `${'<!-- a -->\n'.repeat(100_000)}<x><truck><vin>A</vin></truck></x>`,
    'nested elements': '<a>'.repeat(20_000),
    'nested elements in a row': `<x><truck><vin>A</vin>${'<a>'.repeat(200_000)}`,
    '100,000 elements in a row': `<x><truck><vin>A</vin>${'<a/>'.repeat(100_000)}</truck></x>`,
    'an element of 200,000 attributes': `<x><truck ${times(200_000, (at) => `a${at}=""`).join(' ')}/></x>`,
    '15,000 kinds of elements': `<x>${times(15_000, (at) => `<k${at}><vin>A</vin></k${at}>`).join('')}</x>`,
    'a tag without end': `<x><truck ${' '.repeat(1_000_000)}`,
    'a declaration without end': `<?xml ${' encoding='.repeat(50_000)}`,
  }),
];

/** Lines of objects whose members all have names, and values, of their own. */
const lines = (count: number, width: number, name: (at: number) => string, value: unknown = 1) =>
  times(count, (row) =>
    JSON.stringify(Object.fromEntries(times(width, (at) => [name(row * width + at), value]))),
  ).join('\n');

/** Files that are read quickly, and whose columns or cells are costly to make sense of. */
export function costlyColumns() {
  const around = `{"${'a'.repeat(100_000)}":${lines(1, 1_990, (at) => `b${at}`)}}\n`;
  const states = `${times(998, (at) => `State (${at})`).join(',')},vin\n`;
  const row = `${`${'\ufdfa'.repeat(60)},`.repeat(998)}${VIN}\n`;
  return [
    ...files('ndjson', {
      '15,000 columns of prices': lines(10, 1_500, (at) => `a${at}.price`),
      '10,000 columns of two makes': lines(10, 1_000, (at) => `make${at}/mfr${at}/x${at}`),
      'names of letters that are eighteen': lines(2, 1_900, (at) => `${'\ufdfa'.repeat(60)}${at}`),
      '19,000 names of such letters': lines(10, 1_900, (at) => `\ufb00${at}${'\ufdfa'.repeat(8)}`),
      'a long name around 2,000': around.repeat(2),
      '1,900 titles of such letters': lines(
        20,
        1_900,
        (at) => `t${at % 1_900}`,
        `2015 ${'\ufdfa'.repeat(190)}`,
      ),
      'a price of a million letters': JSON.stringify({ vin: VIN, price: '\ufdfa'.repeat(1_000_000) }),
    }),
    ...files('csv', { '998 states of such letters': states + row.repeat(50) }),
  ];
}
