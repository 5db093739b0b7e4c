import { describe, expect, test } from 'vitest';
import { recordReader } from '../../../lib/feeds/mapping/feed-record.ts';
import { readRecord } from '../../../lib/truck/listing/read-record.ts';
import { toList } from '../../../lib/truck/record/to-list.ts';
import { buildRecord, listFields, makePlan, VIN } from './plan.ts';

describe('a row as a record', () => {
  test.each([
    '0',
    '0.00',
    '$0',
    '',
    '  ',
    'Call',
    'CALL FOR PRICE',
    'N/A',
    '-',
    'TBD',
    'Please inquire',
    0,
    null,
  ])('the price %j means call', (price) => {
    expect(readRecord(buildRecord({ vin: VIN, price })).patch.fields.price).toBeNull();
    const isBlank = price === null || String(price).trim() === '';
    expect(buildRecord({ vin: VIN, price }, { zero_price_is_call: false }).price).toEqual(
      isBlank ? undefined : price,
    );
  });

  test.each(['1', '68900', '$68,900', '68,900 USD', 'Sale 45000', '68.900,00'])(
    'the price %j does not',
    (price) => {
      expect(buildRecord({ vin: VIN, price }).price).toBe(price);
    },
  );

  test('objects and lists that have no text are values like others, in each column', () => {
    const textless = Object.assign(Object.create(null), { toString: 1, valueOf: 1 });
    const columns = toList('VIN, Year, Price, Engine Make, Trans Make, Sleeper, Options, APU, Body, Cab');
    for (const column of columns)
      for (const value of [textless, [textless], ['Red', textless]]) {
        const record = buildRecord({ vin: VIN, [column]: value });
        expect(() => readRecord(record), column).not.toThrow();
      }
  });

  test('blanks are left out, whatever they are; unknown columns are attributes', () => {
    const row = { vin: VIN, Year: '', Make: '  ', Color: null, Fairings: '72"', Empty: '' };
    expect(buildRecord(row)).toEqual({ vin: VIN, attributes: { Fairings: '72"' } });
  });

  test('images come from one list or many columns, features from lists and flags', () => {
    const row = {
      vin: VIN,
      photo1: 'https://i.test/1.jpg',
      photo2: 'https://i.test/2.jpg | https://i.test/3.jpg',
      Options: 'Jake brake; Wet kit',
      APU: 'Y',
      PTO: 'N',
      'Bunk Beds': 'double',
    };
    const read = readRecord(buildRecord(row));
    expect(read.patch.images).toEqual([
      'https://i.test/1.jpg',
      'https://i.test/2.jpg',
      'https://i.test/3.jpg',
    ]);
    expect(read.patch.fields.features).toEqual(['APU', 'Jake brake', 'Wet kit', 'Bunk Beds: double']);
    for (const list of [
      'https://i.test/1.jpg|https://i.test/2.jpg',
      'https://i.test/1.jpg,https://i.test/2.jpg',
      'https://i.test/1.jpg; https://i.test/2.jpg',
      'https://i.test/1.jpg https://i.test/2.jpg',
      ['https://i.test/1.jpg', { url: 'https://i.test/2.jpg' }],
    ])
      expect(readRecord(buildRecord({ vin: VIN, Photos: list })).patch.images).toEqual([
        'https://i.test/1.jpg',
        'https://i.test/2.jpg',
      ]);
  });

  test('parts of a value are put together: engine, units, addresses', () => {
    const engine = (make: string, model: string) =>
      buildRecord({ vin: VIN, 'Engine Make': make, Engine: model }).engine;
    expect(engine('Cummins', 'X15')).toBe('Cummins X15');
    expect(engine('Cummins', 'Cummins X15')).toBe('Cummins X15');
    expect(engine('Cummins', '')).toBe('Cummins');
    const miles = (unit: string) => {
      const record = buildRecord({ vin: VIN, 'mileage.value': '1000', 'mileage.unit': unit });
      return readRecord(record).patch.fields.mileage;
    };
    expect([miles('MI'), miles('KM')]).toEqual([1_000, 621]);
    expect(readRecord(buildRecord({ vin: VIN, 'Odometer KM': '1000' })).patch.fields.mileage).toBe(621);
  });

  test('only sold is a status worth a change', () => {
    const of = (status: string) => buildRecord({ vin: VIN, Status: status }).status;
    expect([of('Sold'), of('Available'), of('In Stock'), of('active')]).toEqual([
      'sold',
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('nested rows are read by their paths, and the engine’s make is not the truck’s', () => {
    const row = {
      vehicle: { vin: VIN, make: 'Volvo', engine: { make: 'Cummins', model: 'X15' } },
      dealer: { name: 'Ours', city: 'Waco' },
      specs: { gvwr: 52_000 },
    };
    const plan = makePlan(null, [row]);
    expect(listFields(plan)).toMatchObject({
      'vehicle.vin': 'vin',
      'vehicle.make': 'make',
      'specs.gvwr': 'gvwr',
    });
    expect(recordReader(plan)(row)).toMatchObject({ vin: VIN, make: 'Volvo', gvwr: 52_000 });
  });

  test('a column that only turns up later is still read by its name', () => {
    const plan = makePlan(null, [{ vin: VIN }], { mapping: { cash: 'price' } });
    const read = recordReader(plan);
    expect(read({ vin: VIN, gvwr: 33_000, cash: 9_000, Extra: 1 })).toEqual({
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
      color: 'White',
      dealer: 'ours',
      class: 'class_8',
      attributes: { class_source: 'default' },
    });
    expect(buildRecord({ vin: VIN, Color: 'Red', GVWR: '33000' }, { defaults })).toEqual({
      vin: VIN,
      color: 'Red',
      gvwr: '33000',
      dealer: 'ours',
    });
  });

  test('values without a text, and numbers, stand where texts are expected', () => {
    const hidden = [{ toString: null, valueOf: null }];
    const columns = ['Engine Make', 'Transmission Make', 'APU', 'Sleeper', 'Year', 'Stock'];
    const row = Object.fromEntries(columns.map((column) => [column, hidden]));
    const record = buildRecord({ ...row, Engine: 350, 'Transmission Make': 'Eaton' });
    expect(record).toMatchObject({ engine: '350', transmission: 'Eaton' });
    expect(record.features).toBeUndefined();
  });
});
