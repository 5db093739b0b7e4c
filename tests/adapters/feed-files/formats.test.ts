import { describe, expect, test } from 'vitest';
import { listFields, newFolder } from './read.ts';

const folder = await newFolder();

const TWO = [
  { VIN: 'A1', Year: '2020', Make: 'Ford' },
  { VIN: 'B2', Year: '2021', Make: 'Mack' },
];

describe('recognised by content', () => {
  test.each([
    ['csv', ',', 'VIN,Year,Make\nA1,2020,Ford\nB2,2021,Mack\n'],
    ['csv', ',', 'VIN,Year,Make\rA1,2020,Ford\rB2,2021,Mack\r'],
    ['csv', ',', 'Lone Star Trucks,,\nExported 2026-01-05,,\nVIN,Year,Make\nA1,2020,Ford\nB2,2021,Mack\n'],
    ['csv', ';', 'sep=;\r\nVIN;Year;Make\r\nA1;2020;Ford\r\nB2;2021;Mack\r\n'],
    ['csv', ',', 'VIN,Year,Make\n="A1","=""2020""",Ford\nB2,2021,Mack\n'],
    ['pipe', '|', 'VIN|Year|Make\nA1|2020|Ford\nB2|2021|Mack\n'],
    [
      'json',
      null,
      JSON.stringify({ dealer: { name: 'x', phones: ['1', '2'] }, data: { trucks: TWO }, tags: [] }, null, 2),
    ],
    [
      'xml',
      null,
      '<?xml version="1.0" encoding="UTF-8"?>\n<inventory dealer_id="7">\n<truck><VIN>A1</VIN><Year>2020</Year><Make>Ford</Make></truck><truck VIN="B2" Year="2021"><Make><![CDATA[Mack]]></Make></truck></inventory>',
    ],
    [
      'xml',
      null,
      '<!DOCTYPE inventory>\n<rss><channel><title>t</title><item><g:VIN>A1</g:VIN><Year>2020</Year><Make>Ford</Make></item><item><g:VIN>B2</g:VIN><Year>2021</Year><Make>Mack</Make></item></channel></rss>',
    ],
  ])('%s, separated by %j: %j', async (format, delimiter, content) => {
    const reading = await folder.read(content);
    expect(reading.file).toMatchObject({ format, delimiter, compression: 'none', encoding: 'utf-8' });
    expect(listFields(reading)).toEqual(TWO);
    expect(reading.rows.every(({ fault }) => fault === null)).toBe(true);
  });

  test('the dealer’s word goes before the content: one column of text is a table if they say so', async () => {
    const reading = await folder.read('anything\nx\ny\n', { format: 'csv' });
    expect(listFields(reading)).toEqual([{ anything: 'x' }, { anything: 'y' }]);
  });

  test.each([
    ['web_page', '<!DOCTYPE html><html><body>Sign in</body></html>'],
    ['format_unknown', 'just words\nand more words\n'],
    ['format_unknown', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 1, 2, 3])],
    ['format_unreadable', '{"message": "no vehicles here", "codes": {"a": 1}, "n": [1, 2]}\n \n'],
    ['format_unreadable', '<root><truck><vin>A</vin></truck></root><again/>'],
  ])('%s: %j', async (reason, content) => {
    expect(await folder.catchFault(content)).toMatch(new RegExp(`^${reason}: `));
  });
});

describe('a table', () => {
  test('quoted line ends, doubled quotes, separators and blanks stay in their value; lines are counted', async () => {
    const { rows } = await folder.read('VIN,Text,Make\nA,"one\r\n""two"", three",x\nB," y ",z\n');
    expect(rows).toEqual([
      { line: 2, fields: { VIN: 'A', Text: 'one\r\n"two", three', Make: 'x' }, fault: null },
      { line: 4, fields: { VIN: 'B', Text: ' y ', Make: 'z' }, fault: null },
    ]);
  });

  test('raw JSON and inches in cells are text', async () => {
    const tsv =
      'VIN\tOptions\tWheels\nA\t{"a": ["b", "c"], "d": "e"}\t22.5" alloy\nB\t[]\t"17.5" steel\nC\t"x"\t"y"\n';
    expect(listFields(await folder.read(tsv))).toEqual([
      { VIN: 'A', Options: '{"a": ["b", "c"], "d": "e"}', Wheels: '22.5" alloy' },
      { VIN: 'B', Options: '[]', Wheels: '"17.5" steel' },
      { VIN: 'C', Options: 'x', Wheels: 'y' },
    ]);
  });

  test('a stray opening quote costs no row after it', async () => {
    const rows = Array.from(
      { length: 2_000 },
      (_, index) => `V${index},2020,Ford,${index === 7 ? '"17 in' : 'x'}`,
    );
    const reading = await folder.read(`VIN,Year,Make,Note\n${rows.join('\n')}\n`);
    expect(reading.rows).toHaveLength(2_000);
    expect(reading.rows[7]?.fields).toEqual({ VIN: 'V7', Year: '2020', Make: 'Ford', Note: '"17 in' });
    expect(reading.rows.at(-1)).toMatchObject({ line: 2_001, fields: { VIN: 'V1999' } });
  });

  test('ragged rows: fewer values are absent, more values are a fault that still tells the truck', async () => {
    const { rows } = await folder.read(
      'VIN,Year,Make\nA,2020\nB,2021,Ford,,\nC,2022,Ford, and more\nD,2023,Mack\n',
    );
    expect(rows.map(({ fields, fault }) => [fields?.VIN, fields?.Make, fault?.code ?? null])).toEqual([
      ['A', undefined, null],
      ['B', 'Ford', null],
      ['C', 'Ford', 'ROW_RAGGED'],
      ['D', 'Mack', null],
    ]);
  });

  test('columns get a name each', async () => {
    const reading = await folder.read('VIN,,Photo,Photo,__proto__\nA,1,2,3,4\n');
    expect(reading.file.columns).toEqual(['VIN', 'column_2', 'Photo', 'Photo_2', 'column_5']);
    expect(listFields(reading)).toEqual([
      { VIN: 'A', column_2: '1', Photo: '2', Photo_2: '3', column_5: '4' },
    ]);
  });

  test('without a header: a layout that is known to have none, else numbered columns', async () => {
    const known = ['Ford', 'F-650', 'box', 'used', '2018', '0', 'fine', 'clean', '9', '1FDNF6AY5JDF00001'];
    const pipe = [...known, 'S1', '', 'http://x.test', ...Array(10).fill('i'), 'retail'].join('|');
    expect(listFields(await folder.read(`${pipe}\n`))[0]).toMatchObject({
      make: 'Ford',
      price: '0',
      stock: 'S1',
    });
    const reading = await folder.read('1FDNF6AY5JDF00001,2018,Ford\n');
    expect(listFields(reading)).toEqual([
      { column_1: '1FDNF6AY5JDF00001', column_2: '2018', column_3: 'Ford' },
    ]);
  });
});

describe('JSON', () => {
  test('an element that is no object spoils no other; its line is its number', async () => {
    const { rows } = await folder.read('{"trucks": [{"vin": "A"},\n 7, null, "x", [1],\n{"vin": "B"}]}');
    expect(rows.map(({ line, fields, fault }) => [line, fields, fault?.code ?? null])).toEqual([
      [1, { vin: 'A' }, null],
      ...[2, 3, 4, 5].map((line) => [line, null, 'ROW_UNREADABLE']),
      [6, { vin: 'B' }, null],
    ]);
  });

  test('what is nested too deeply is a fault of its row; a document that cannot be read is refused whole', async () => {
    const lists = (levels: number) =>
      `[{"vin":"A","x":${'['.repeat(levels)}${']'.repeat(levels)}},{"vin":"B"}]`;
    const { rows } = await folder.read(lists(40));
    expect(rows.map(({ fault }) => fault?.code ?? null)).toEqual(['ROW_UNREADABLE', null]);
    expect((await folder.read(lists(100_000))).rows.map(({ fields }) => fields)).toEqual([
      { vin: 'A' },
      { vin: 'B' },
    ]);
    expect(await folder.catchFault('[{"vin": "A"}, {"vin": oops}]')).toMatch(/^format_unreadable: .*oops/);
    for (const large of [' '.repeat(64 * 1024 * 1024), '0,'.repeat(4_000_000)])
      expect(await folder.catchFault(`[${large}0]`)).toMatch(/^json_too_large/);
    for (const content of ['[{"vin":"A"},', '[{"vin":"A"}', '{"rows":[{"vin":"A"}]', '{"vin":"A"}\n{"vin":'])
      expect(await folder.catchFault(content), content).toMatch(/^file_truncated/);
  });

  test('a row of too many values is a fault that still tells the truck', async () => {
    const { rows } = await folder.read(JSON.stringify([{ vin: 'A', x: Array(3_000).fill(1) }, { vin: 'B' }]));
    expect(rows.map(({ fields, fault }) => [fields, fault?.code ?? null])).toEqual([
      [{ vin: 'A' }, 'ROW_TOO_LARGE'],
      [{ vin: 'B' }, null],
    ]);
  });

  test('a line of NDJSON that is no object spoils no other', async () => {
    const { rows } = await folder.read('{"vin":"A"}\n{"vin":\n[1]\n{"vin":"B"}\n');
    expect(rows.map(({ line, fault }) => [line, fault?.code ?? null])).toEqual([
      [1, null],
      [2, 'ROW_UNREADABLE'],
      [3, 'ROW_UNREADABLE'],
      [4, null],
    ]);
  });
});

describe('XML', () => {
  test('attributes, nested elements, repeated elements, lists, CDATA and entities', async () => {
    const reading = await folder.read(`<stock>
      <dealer><name>Ours</name></dealer>
      <vehicle id="1" condition='used'>
        <vin>A</vin><note>5 &lt; 6 &amp; &#233;&nbsp;<![CDATA[<b>&amp;</b>]]></note>
        <location><city>Waco</city><state>TX</state></location>
        <images><image>u1</image><image>u2</image></images>
        <option>one</option><option>two</option>
        <blank/>
      </vehicle>
      <vehicle><vin>B</vin><images><image>u3</image></images></vehicle>
      <trailer><vin>C</vin></trailer>
    </stock>`);
    expect(listFields(reading)).toEqual([
      {
        id: '1',
        condition: 'used',
        vin: 'A',
        note: '5 < 6 & é\u00a0<b>&amp;</b>',
        location: { city: 'Waco', state: 'TX' },
        images: ['u1', 'u2'],
        option: ['one', 'two'],
        blank: '',
      },
      { vin: 'B', images: ['u3'] },
      { vin: 'C' },
    ]);
    expect(reading.rows.map(({ line }) => line)).toEqual([3, 10, 11]);
  });

  test('the row is the element that holds one VIN, however deep', async () => {
    const one = '<root><data><vehicle><ids><vin>A</vin></ids><make>Ford</make></vehicle></data></root>';
    expect(listFields(await folder.read(one))).toEqual([{ ids: { vin: 'A' }, make: 'Ford' }]);
  });

  test('a document type that brings definitions is refused, whatever they are', async () => {
    for (const doctype of [
      '<!DOCTYPE x [<!ENTITY a "b">]>',
      '<!DOCTYPE x SYSTEM "file:///etc/passwd">',
      `<!DOCTYPE lolz [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "&a;&a;&a;&a;">]>`,
    ])
      expect(await folder.catchFault(`${doctype}<x><truck><vin>&a;</vin></truck></x>`)).toMatch(
        /^dtd_refused/,
      );
  });

  test('a row that is no sound XML is a fault that still tells the truck', async () => {
    const { rows } = await folder.read(
      '<x><truck><vin>A</vin><make>B & W &unknown;</make></truck><truck><vin>B</vin></truck></x>',
    );
    expect(rows.map(({ fields, fault }) => [fields?.vin, fault?.code ?? null])).toEqual([
      ['A', 'ROW_UNREADABLE'],
      ['B', null],
    ]);
  });

  test('nothing that is called like a part of every object does harm', async () => {
    const { rows } = await folder.read(
      '<x><truck><vin>A</vin><__proto__><polluted>1</polluted></__proto__><constructor>c</constructor></truck><truck><vin>B</vin></truck></x>',
    );
    expect(rows.map(({ fields }) => fields?.vin)).toEqual(['A', 'B']);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});
