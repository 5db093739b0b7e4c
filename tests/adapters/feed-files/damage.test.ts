import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { unpack } from '../../../lib/feeds/files/unpack.ts';
import { listFields, makeZip, newFolder } from './read.ts';

const folder = await newFolder();

const CSV = 'VIN,Year,Make\nA1,2020,Ford\nB2,2021,Mack\n';
const TWO = [
  { VIN: 'A1', Year: '2020', Make: 'Ford' },
  { VIN: 'B2', Year: '2021', Make: 'Mack' },
];
const BOMB = Buffer.alloc(40 * 1024 * 1024, '[');

describe('compressed', () => {
  test('gzip, of one member or several', async () => {
    const members = Buffer.concat([gzipSync(CSV.slice(0, 20)), gzipSync(CSV.slice(20))]);
    for (const content of [gzipSync(CSV), members]) {
      const reading = await folder.read(content);
      expect(reading.file.compression).toBe('gzip');
      expect(listFields(reading)).toEqual(TWO);
    }
  });

  test('zip: the largest member that may be data, and its name', async () => {
    const zip = await makeZip({
      'photos/1.jpg': Buffer.alloc(50_000),
      '__MACOSX/._trucks.csv': 'x'.repeat(10_000),
      'small.csv': 'VIN,Year\nX,1\n',
      'export/trucks.csv': CSV,
      'readme.md': '#'.repeat(5_000),
    });
    const reading = await folder.read(zip);
    expect(reading.file).toMatchObject({ compression: 'zip', entry: 'export/trucks.csv', format: 'csv' });
    expect(listFields(reading)).toEqual(TWO);
  });

  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['file_truncated', () => gzipSync(CSV.repeat(100)).subarray(0, 60)],
    ['file_damaged', () => Buffer.concat([gzipSync(CSV).subarray(0, 30), Buffer.alloc(40, 7)])],
    ['file_truncated', async () => (await makeZip({ 'a.csv': CSV })).subarray(0, 60)],
    ['zip_unusable', () => makeZip({ 'a.jpg': 'x', 'b/.hidden': 'y' })],
  ])('%s', async (reason, make) => {
    expect(await folder.catchFault(await make())).toMatch(new RegExp(`^${reason}: `));
  });

  test('a zip with a password is told', async () => {
    const zip = await makeZip({ 'a.csv': CSV });
    // The flag of encryption in the central directory.
    const directory = zip.indexOf(Buffer.from('PK\x01\x02', 'latin1'));
    zip.writeUInt16LE(zip.readUInt16LE(directory + 8) | 1, directory + 8);
    expect(await folder.catchFault(zip)).toMatch(/^zip_unusable: .*password/);
  });

  test('a bomb is put out while it goes off, by its ratio and by its size', async () => {
    const packed = [gzipSync(BOMB), await makeZip({ 'a.json': BOMB })];
    for (const bomb of packed) expect(await folder.catchFault(bomb)).toMatch(/^zip_bomb/);
    for (const content of [...packed, BOMB]) {
      const unpacked = await unpack(await folder.write(content), 1_500_000);
      if (!('bytes' in unpacked)) throw new Error('no workbook was sent');
      await expect(buffer(unpacked.bytes)).rejects.toMatchObject({ reason: 'too_large' });
    }
  });
});

describe('encodings', () => {
  const text = 'VIN,City,Note\nA,Cañon City,“5° – Ω”\nB,Québec,𝄞\n';
  const expected = [
    { VIN: 'A', City: 'Cañon City', Note: '“5° – Ω”' },
    { VIN: 'B', City: 'Québec', Note: '𝄞' },
  ];
  const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();
  test.each<[string, Buffer]>([
    ['utf-8', Buffer.from(`\ufeff${text}`)],
    ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-16be', swapped(Buffer.from(`\ufeff${text}`, 'utf16le'))],
    ['utf-16le', Buffer.from(text, 'utf16le')],
  ])('%s', async (encoding, content) => {
    for (const bytes of [content, gzipSync(content)]) {
      const reading = await folder.read(bytes);
      expect(reading.file.encoding).toBe(encoding);
      expect(listFields(reading)).toEqual(expected);
    }
  });

  test('what is no UTF-8 is Windows-1252, also when it only turns up late or among UTF-8', async () => {
    const latin = Buffer.from('VIN,City,Note\nA,Ca\xf1on City,\x93\x80 5\xb0\x94\n', 'latin1');
    const reading = await folder.read(latin);
    expect(reading.file.encoding).toBe('windows-1252');
    expect(listFields(reading)).toEqual([{ VIN: 'A', City: 'Cañon City', Note: '“€ 5°”' }]);
    const late = Buffer.concat([
      Buffer.from('VIN,City\n'),
      Buffer.from('A,plain\n'.repeat(60_000)),
      Buffer.from('B,Québec\n'),
      Buffer.from('C,Qu\xe9bec\n', 'latin1'),
    ]);
    const { rows, file } = await folder.read(late);
    expect(file.encoding).toBe('utf-8');
    expect(rows.slice(-2).map(({ fields }) => fields?.City)).toEqual(['Québec', 'Québec']);
  });
});

describe('large', () => {
  const big = 'x'.repeat(5 * 1024 * 1024);
  test.each([
    ['csv', `VIN,Make,Text\nA,Ford,${big}\nB,Mack,y\n`],
    ['json', `[{"VIN":"A","Text":"${big}","Make":"Ford"},{"VIN":"B","Text":"y","Make":"Mack"}]`],
    [
      'xml',
      `<x><truck><VIN>A</VIN><Make>Ford</Make><Text>${big}</Text></truck><truck><VIN>B</VIN><Make>Mack</Make></truck></x>`,
    ],
  ])('a value of 5 MB is a fault of its row, which still tells the truck: %s', async (format, content) => {
    const { file, rows } = await folder.read(content);
    expect(file.format).toBe(format);
    expect(rows.map(({ fault }) => fault?.code ?? null)).toEqual(['ROW_TOO_LARGE', null]);
    expect(rows.map(({ fields }) => [fields?.VIN, fields?.Make])).toEqual([
      ['A', 'Ford'],
      ['B', 'Mack'],
    ]);
    expect(JSON.stringify(rows).length).toBeLessThan(1_000);
  });
});
