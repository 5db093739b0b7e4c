import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

import { listFields, makeZip, newFolder, type Reading } from './read.ts';

/** What files are made of: what is read, and what their rows are. */

const folder = await newFolder();

const CSV = 'VIN,Year,Make\nA1,2020,Ford\nB2,2021,Mack\n';
const TWO = [
  { VIN: 'A1', Year: '2020', Make: 'Ford' },
  { VIN: 'B2', Year: '2021', Make: 'Mack' },
];
const ZIP = {
  'photos/1.jpg': Buffer.alloc(50_000),
  '__MACOSX/._trucks.csv': 'x'.repeat(10_000),
  'small.csv': 'VIN,Year\nX,1\n',
  'export/trucks.csv': CSV,
  'readme.md': '#'.repeat(5_000),
};
const NESTED = { dealer: { name: 'x', phones: ['1', '2'] }, data: { trucks: TWO }, tags: [] };

test.each<[Partial<Reading['file']>, string | Buffer]>([
  [{ format: 'csv', delimiter: ',', columns: ['VIN', 'Year', 'Make'] }, CSV],
  [{ format: 'csv', delimiter: ',' }, `Lone Star Trucks,,\nExported 2026-01-05,,\n${CSV}`],
  [{ format: 'csv', delimiter: ';' }, `sep=;\r\n${CSV.replaceAll(',', ';').replaceAll('\n', '\r\n')}`],
  [{ format: 'csv', delimiter: ',' }, CSV.replace('A1,2020', '="A1","=""2020"""')],
  [{ format: 'json', delimiter: null }, JSON.stringify(NESTED, null, 2)],
  [{ format: 'ndjson' }, TWO.map((truck) => `${JSON.stringify(truck)}\n`).join('')],
  [
    { format: 'xml' },
    '<?xml version="1.0" encoding="UTF-8"?>\n<inventory dealer_id="7">\n<truck><VIN>A1</VIN><Year>2020</Year><Make>Ford</Make></truck><truck VIN="B2" Year="2021"><Make><![CDATA[Mack]]></Make></truck></inventory>',
  ],
  [
    { format: 'xml' },
    '<!DOCTYPE inventory>\n<rss><channel><title>t</title><item><g:VIN>A1</g:VIN><Year>2020</Year><Make>Ford</Make></item><item><g:VIN>B2</g:VIN><Year>2021</Year><Make>Mack</Make></item></channel></rss>',
  ],
  [{ format: 'csv' }, gzipSync(CSV)],
  [{ format: 'csv' }, await makeZip(ZIP)],
])('%j is read: %j', async (head, content) => {
  const reading = await folder.read(content);
  expect(reading.file).toMatchObject({ encoding: 'utf-8', ...head });
  expect(listFields(reading)).toEqual(TWO);
  expect(reading.rows.every(({ fault }) => fault === null)).toBe(true);
});

const TEXT = 'VIN,City,Note\nA,Cañon City,“5° – Ω”\nB,Québec,𝄞\n';
test.each<[string, Buffer]>([
  ['utf-8', Buffer.from(`\ufeff${TEXT}`)],
  ['utf-16be', Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16()],
  ['utf-16le', Buffer.from(TEXT, 'utf16le')],
])('%s is recognised', async (encoding, content) => {
  const reading = await folder.read(content);
  expect(reading.file.encoding).toBe(encoding);
  expect(listFields(reading)).toEqual([
    { VIN: 'A', City: 'Cañon City', Note: '“5° – Ω”' },
    { VIN: 'B', City: 'Québec', Note: '𝄞' },
  ]);
});

test('what is no UTF-8 is Windows-1252, also when it only turns up late or among UTF-8', async () => {
  const latin = await folder.read(
    Buffer.from('VIN,City,Note\nA,Ca\xf1on City,\x93\x80 5\xb0\x94\n', 'latin1'),
  );
  expect(latin.file.encoding).toBe('windows-1252');
  expect(listFields(latin)).toEqual([{ VIN: 'A', City: 'Cañon City', Note: '“€ 5°”' }]);
  const text = `VIN,City\n${'A,plain\n'.repeat(60_000)}B,Québec\n`;
  const mixedReading = await folder.read(
    Buffer.concat([Buffer.from(text), Buffer.from('C,Qu\xe9bec\n', 'latin1')]),
  );
  expect(mixedReading.file.encoding).toBe('utf-8');
  expect(listFields(mixedReading).slice(-2)).toEqual([
    { VIN: 'B', City: 'Québec' },
    { VIN: 'C', City: 'Québec' },
  ]);
});

test('the dealer’s word goes before the content: one column of text is a table if they say so', async () => {
  const reading = await folder.read('anything\nx\ny\n', 'csv');
  expect(listFields(reading)).toEqual([{ anything: 'x' }, { anything: 'y' }]);
});

const BIG = 'x'.repeat(5 * 1024 * 1024);
const STOCK = `<stock>
  <dealer><name>Ours</name></dealer>
  <vehicle id="1" condition='used'>
    <vin>A</vin><note>5 &lt; 6 &amp; &#233; <![CDATA[<b>&amp;</b>]]></note>
    <location><city>Waco</city><state>TX</state></location>
    <images><image>u1</image><image>u2</image></images>
    <option>one</option><option>two</option>
    <blank/>
  </vehicle>
  <vehicle><vin>B</vin><images><image>u3</image></images></vehicle>
  <trailer><vin>C</vin></trailer>
</stock>`;

/** Rows with their line, what is read of them, and their fault. */
test.each<[string, string, [line: number, fields: object | null, code?: string][]]>([
  [
    'raw JSON and inches in cells are text',
    'VIN\tOptions\tWheels\nA\t{"a": ["b", "c"], "d": "e"}\t22.5" alloy\nB\t[]\t"17.5" steel\nC\t"x"\t"y"\n',
    [
      [2, { VIN: 'A', Options: '{"a": ["b", "c"], "d": "e"}', Wheels: '22.5" alloy' }],
      [3, { VIN: 'B', Options: '[]', Wheels: '"17.5" steel' }],
      [4, { VIN: 'C', Options: 'x', Wheels: 'y' }],
    ],
  ],
  [
    'fewer values are absent, more values are a fault that still tells the truck',
    'VIN,Year,Make\nA,2020\nB,2021,Ford,,\nC,2022,Ford, and more\n',
    [
      [2, { VIN: 'A', Year: '2020' }],
      [3, { VIN: 'B', Year: '2021', Make: 'Ford' }],
      [4, { VIN: 'C', Year: '2022', Make: 'Ford' }, 'ROW_RAGGED'],
    ],
  ],
  [
    'columns get a name each',
    'VIN,,Photo,Photo,__proto__\nA,1,2,3,4\n',
    [[2, { VIN: 'A', column_2: '1', Photo: '2', Photo_2: '3', column_5: '4' }]],
  ],
  [
    'without a header columns are numbered',
    '1FDNF6AY5JDF00001,2018,Ford\n',
    [[1, { column_1: '1FDNF6AY5JDF00001', column_2: '2018', column_3: 'Ford' }]],
  ],
  [
    'a JSON object with a VIN is a truck',
    '{"vin": "A",\n"features": [{"a": 1}]}',
    [[1, { vin: 'A', features: [{ a: 1 }] }]],
  ],
  [
    'a line of NDJSON that is no object spoils no other',
    '{"vin":"A"}\n{"vin":\n{"vin":"B"}\n',
    [
      [1, { vin: 'A' }],
      [2, null, 'ROW_UNREADABLE'],
      [3, { vin: 'B' }],
    ],
  ],
  [
    'lists in each other',
    `[{"vin":"A","x":${'['.repeat(100_000)}${']'.repeat(100_000)}},{"vin":"B"}]`,
    [
      [1, { vin: 'A' }, 'ROW_UNREADABLE'],
      [2, { vin: 'B' }],
    ],
  ],
  [
    'too many values',
    JSON.stringify([{ vin: 'A', x: Array(3_000).fill(1) }, { vin: 'B' }]),
    [
      [1, { vin: 'A' }, 'ROW_TOO_LARGE'],
      [2, { vin: 'B' }],
    ],
  ],
  [
    'a long name inside a list',
    JSON.stringify([{ vin: 'A', x: [{ [BIG]: 1 }] }, { vin: 'B' }]),
    [
      [1, { vin: 'A' }, 'ROW_TOO_LARGE'],
      [2, { vin: 'B' }],
    ],
  ],
  ...(
    [
      ['csv', `vin,make,text\nA,Ford,${BIG}\nB,Mack\n`, [2, 3]],
      ['json', `[{"vin":"A","text":"${BIG}","make":"Ford"},{"vin":"B","make":"Mack"}]`, [1, 2]],
      [
        'xml',
        `<x><a><vin>A</vin><make>Ford</make><c>${BIG}</c></a>\n<a><vin>B</vin><make>Mack</make></a></x>`,
        [1, 2],
      ],
    ] as const
  ).map(([format, content, [first, second]]): [string, string, [number, object, string?][]] => [
    `a value of 5 MB in ${format} still tells the truck`,
    content,
    [
      [first, expect.objectContaining({ vin: 'A', make: 'Ford' }), 'ROW_TOO_LARGE'],
      [second, { vin: 'B', make: 'Mack' }],
    ],
  ]),
  [
    'attributes, nested elements, repeated elements, lists, CDATA and entities',
    STOCK,
    [
      [
        3,
        {
          id: '1',
          condition: 'used',
          vin: 'A',
          note: '5 < 6 & é <b>&amp;</b>',
          location: { city: 'Waco', state: 'TX' },
          images: { image: ['u1', 'u2'] },
          option: ['one', 'two'],
          blank: '',
        },
      ],
      [10, { vin: 'B', images: { image: 'u3' } }],
      [11, { vin: 'C' }],
    ],
  ],
  [
    'of several trucks what is around one VIN is a row, whatever it is called, in any group',
    '<root><new><camion><id><vin>A</vin></id></camion><camion><id><vin>B</vin></id></camion></new><used><camion><id><vin>C</vin></id></camion></used></root>',
    ['A', 'B', 'C'].map((vin) => [1, { id: { vin } }]),
  ],
  [
    'a row that is no sound XML is a fault that still tells the truck',
    '<x><truck><vin>A</vin><make>B & W &unknown;</make></truck><truck><vin>B</vin></truck></x>',
    [
      [1, expect.objectContaining({ vin: 'A' }), 'ROW_UNREADABLE'],
      [1, { vin: 'B' }],
    ],
  ],
  [
    'nothing that is called like a part of every object does harm',
    '<x><truck><vin>A</vin><__proto__><polluted>1</polluted></__proto__><constructor>c</constructor></truck><truck><vin>B</vin></truck></x>',
    [
      [1, { vin: 'A', constructor: 'c' }],
      [1, { vin: 'B' }],
    ],
  ],
])('%s', async (_, content, expected) => {
  const { rows } = await folder.read(content);
  expect(rows.map(({ line, fields, fault }) => [line, fields, ...(fault ? [fault.code] : [])])).toEqual(
    expected,
  );
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});
