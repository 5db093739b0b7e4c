import { describe, expect, test } from 'vitest';
import { recordReader } from '../../../lib/feeds/mapping/feed-record.ts';
import { readRecord } from '../../../lib/truck/listing/read-record.ts';
import { toList } from '../../../lib/truck/text/table.ts';
import { readImages } from '../../../lib/truck/text/url.ts';
import { buildRecord, makePlan, type Row, VIN } from './plan.ts';

/** A row of a file as a record, by the columns of its file. */

const PHOTOS = ['https://i.test/1.jpg', 'https://i.test/2.jpg'];

/** Rows beside a VIN, and what they become beside it. */
test.each<[name: string, row: Row, record: Row]>([
  [
    'short names of a DMS',
    { YR: '19', LIST: '59900.00', SLPR: '72RR', ODOM: '534112' },
    { year: 2019, price: '59900.00', cab: '72RR sleeper', mileage: '534112' },
  ],
  ['a model year of two digits', { Year: "'08" }, { year: 2008 }],
  ['one of the last century', { Year: 98 }, { year: 1998 }],
  ['a sleeper in inches', { Sleeper: '76' }, { cab: '76 sleeper' }],
  ['one that is there', { Sleeper: 'Y' }, { cab: 'Sleeper' }],
  ['one that is not', { Sleeper: '0' }, {}],
  [
    'a maker before its part',
    { TransMake: 'Eaton', Transmission: 'Fuller 13' },
    { transmission: 'Eaton Fuller 13' },
  ],
  [
    'a maker that the part names',
    { 'Engine Make': 'Cummins', Engine: 'Cummins X15' },
    { engine: 'Cummins X15' },
  ],
  ['hours that may be miles', { 'Miles/Hrs': '9,400' }, {}],
  ['miles that may be hours', { 'Miles/Hrs': '412,000 km' }, { mileage: '412,000 km' }],
  ['blanks', { Year: '', Make: '  ', Color: null, Fairings: '72"' }, { attributes: { Fairings: '72"' } }],
  ['equipment', { APU: 'Y', PTO: 'N', 'Bunk Beds': 'double' }, { features: ['APU', 'Bunk Beds: double'] }],
  [
    'several prices, the best first',
    { MSRP: '9', 'List Price': '3', Price: '2', 'Internet Price': '1' },
    { price: '1', attributes: { MSRP: '9', 'List Price': '3', Price: '2' } },
  ],
  [
    'a price by words beside one by name',
    { Price: '0', 'Dealer Price': '55,000' },
    { price: null, attributes: { 'Dealer Price': '55,000' } },
  ],
  [
    'of each field the first that says something',
    { Mileage: '0', Kms: '1,000', Body: '', 'Body Style': 'Flatbed' },
    { mileage: '1,000 km', body_type: 'Flatbed' },
  ],
  [
    'what a dealer paid, and what changes with every export',
    Object.fromEntries(
      toList(`UnitCost, Invoice Amt, Floor-Plan Days, Acquired From, PACK, BookValue, Dealer Cost, ACV, Min Price,
        Internal Notes, Prix coûtant, Age, Days on Lot, Last Updated, Export Time`).map((column) => [
        column,
        '1',
      ]),
    ),
    {},
  ],
  ['a word that only contains one', { 'Air Package': 'yes' }, { attributes: { 'Air Package': 'yes' } }],
  [
    'a unit in a column of its own',
    { 'mileage.value': '9', 'mileage.unit': 'KM' },
    { mileage: '9', mileage_unit: 'KM' },
  ],
  ['a sale as a price', { Price: 'SOLD' }, { price: 'SOLD', status: 'sold' }],
  [
    'objects of a web platform',
    {
      category: { name: 'Day Cab' },
      usage: { value: 215_000, unit: 'mi' },
      dealership: { name: 'Ours', address: { city: 'Toledo', state: 'OH' } },
      engine: { make: 'Detroit' },
      video: { url: 'https://video.example/1' },
    },
    {
      body_type: 'Day Cab',
      mileage: 215_000,
      mileage_unit: 'mi',
      city: 'Toledo',
      state: 'OH',
      engine: 'Detroit',
      attributes: { 'dealership.name': 'Ours', 'video.url': 'https://video.example/1' },
    },
  ],
])('%s: %j is %j', (_, row, record) => {
  const all = { VIN, ...row };
  const isFlat = Object.values(row).every((value) => typeof value !== 'object' || value === null);
  const plan = makePlan(isFlat ? Object.keys(all) : null, [all]);
  expect(recordReader(plan)(all)).toEqual({ vin: VIN, ...record });
});

test.each([
  ['sold', 'Status', 'Sold!', 'SLD', 'Sold 11/02', 'vendido'],
  ['sold', 'Sold', 'Y', '1', 'TRUE', true, 'X', '11/02/2026', 'SOLD'],
  ['sold', 'Sold Date', '2026-11-01', '11/2/26', 'Nov 2, 2026'],
  ['delisted', 'availability', 'out of stock'],
  [undefined, 'Status', 'Available', 'In Stock', 'active', 'S'],
  [undefined, 'Sold', 'N', '0', '', false],
  [undefined, 'Sold Date', '0000-00-00', '01/01/1900', '1900-01-00'],
])('a truck is %j by %s', (status, column, ...values) => {
  for (const value of values)
    expect(buildRecord({ VIN, [String(column)]: value }), String(value)).toEqual({
      vin: VIN,
      ...(status && { status }),
    });
});

test('a letter of a status says sold where A says what S is not', () => {
  const listStatuses = (...values: string[]) => {
    const rows = values.map((STATUS) => ({ VIN, STATUS }));
    return rows.map(recordReader(makePlan(['VIN', 'STATUS'], rows))).map(({ status }) => status);
  };
  expect(listStatuses('A', 'S', 'P')).toEqual([undefined, 'sold', undefined]);
  expect(listStatuses('I', 'S', 'W')).toEqual([undefined, undefined, undefined]);
});

describe('a price', () => {
  test.each(['0', '$0', '', '  ', 'CALL FOR PRICE', 'N/A', '-', 'TBD', 'Please inquire', 0, null])(
    '%j means call',
    (price) => expect(readRecord(buildRecord({ vin: VIN, price })).patch.fields.price).toBeNull(),
  );

  test.each(['1', '$68,900', '68,900 USD', 'Sale 45000', '68.900,00'])('%j does not', (price) => {
    expect(buildRecord({ vin: VIN, price }).price).toBe(price);
  });

  test('is in each row the first usable one, in objects too; what a mapping names has no fallback', () => {
    const rows = [
      { AskingPrice: '72,000', InternetPrice: '69,900', SpecialPrice: '65,000' },
      { AskingPrice: '73,000', InternetPrice: '0', SpecialPrice: '66,000' },
      { AskingPrice: '74,000', InternetPrice: 'Call for price', SpecialPrice: '' },
    ];
    const listPrices = (some: readonly Row[], mapping: Record<string, string> | null = null) =>
      some.map(recordReader(makePlan(null, some, { mapping }))).map(({ price }) => price);
    expect(listPrices(rows)).toEqual(['69,900', '66,000', 'Call for price']);
    expect(listPrices(rows.slice(0, 2), { InternetPrice: 'price' })).toEqual(['69,900', null]);
    const objects = [65_000, 0].map((sale) => ({ pricing: { sale, list: 70_000, cost: 5 } }));
    expect(listPrices(objects)).toEqual([65_000, 70_000]);
  });
});

test.each<[photos: Row]>([
  [{ photo1: PHOTOS[0], photo2: PHOTOS[1] }],
  ...['|', ',', '; ', ' '].map((between): [Row] => [{ Photos: PHOTOS.join(between) }]),
  [{ Photos: [PHOTOS[0], { url: PHOTOS[1] }] }],
  [{ photos: PHOTOS.map((text, order) => ({ order, text })) }],
])('images come from one list or many columns: %j', (row) => {
  const record = recordReader(makePlan(null, [{ VIN, ...row }]))({ VIN, ...row });
  expect(readImages(record.images).urls).toEqual(PHOTOS);
});

test('a column that only turns up later is still read by its name', () => {
  const toRecord = recordReader(makePlan(null, [{ vin: VIN }], { mapping: { cash: 'price' } }));
  expect(toRecord({ vin: VIN, gvwr: 33_000, cash: 9_000, Extra: 1 })).toEqual({
    vin: VIN,
    gvwr: 33_000,
    price: 9_000,
    attributes: { Extra: 1 },
  });
});

test('defaults fill what is empty; a class only where nothing tells the weight, and says so', () => {
  const defaults = { class: 'class_8', color: 'White', dealer: 'ours' };
  expect(buildRecord({ vin: VIN, Color: '' }, { defaults })).toEqual({
    vin: VIN,
    ...defaults,
    attributes: { class_source: 'default' },
  });
  expect(buildRecord({ vin: VIN, Color: 'Red', GVWR: '33000' }, { defaults })).toEqual({
    vin: VIN,
    color: 'Red',
    gvwr: '33000',
    dealer: 'ours',
  });
});
