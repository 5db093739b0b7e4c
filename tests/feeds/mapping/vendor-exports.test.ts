import { describe, expect, test } from 'vitest';
import { recordReader } from '../../../lib/feeds/mapping/feed-record.ts';
import { readImages } from '../../../lib/truck/text/url.ts';
import { buildRecord, listFields, makePlan, type Row, VIN } from './plan.ts';

/** Files as DMS and web platforms of truck dealers export them. */

const readRow = (row: Row) => recordReader(makePlan(null, [row]))(row);

describe('a DMS with short names', () => {
  test('its columns are mapped', () => {
    const row = { SERNO: VIN, YR: '19', LIST: '59900.00', SLPR: '72RR', ODOM: '534112' };
    expect(buildRecord(row)).toEqual({
      vin: VIN,
      year: 2019,
      price: '59900.00',
      cab: '72RR sleeper',
      mileage: '534112',
    });
  });

  test.each([
    ['19', 2019],
    ["'08", 2008],
    [19, 2019],
    ['98', 1998],
    ['2019', '2019'],
    ['9', '9'],
  ])('the model year %j is %j', (sent, year) => {
    expect(buildRecord({ VIN, Year: sent }).year).toBe(year);
  });

  test('flags are no prices, and words no serial numbers', () => {
    expect(listFields(makePlan(['List'], [{ List: '1' }, { List: '1' }]))).toEqual({});
    expect(listFields(makePlan(['Serial'], [{ Serial: '88121' }]))).toEqual({});
  });
});

test('a column of classes that holds weights is the weight, and one that holds bodies the body', () => {
  const of = (column: string, ...values: string[]) =>
    listFields(
      makePlan(
        [column],
        values.map((value) => ({ [column]: value })),
      ),
    )[column];
  expect(of('GVWR Class', 'Class 5: 16,001 - 19,500 lb', '16,500 lbs', '19,500')).toBe('gvwr');
  expect(of('GVWR Class', 'Class 5', 'Class 6')).toBe('class');
  expect(of('CLASS', 'Wrecker', 'Bucket Truck')).toBe('body_type');
  expect(of('CLASS', '8', '6')).toBe('class');
  expect(of('Catégorie', 'Camion à benne', 'Tracteur avec couchette')).toBe('body_type');
});

test('letters of a status are read where A says what S is not', () => {
  const statuses = (column: string, ...values: string[]) => {
    const rows = values.map((value) => ({ VIN, [column]: value }));
    return rows.map((row) => recordReader(makePlan(['VIN', column], rows))(row).status);
  };
  expect(statuses('STATUS', 'A', 'S', 'P')).toEqual([undefined, 'sold', undefined]);
  expect(statuses('Stat', 'S', 'A')).toEqual(['sold', undefined]);
  expect(statuses('STATUS', 'I', 'S', 'W')).toEqual([undefined, undefined, undefined]);
  expect(statuses('Grade', 'A', 'S')).toEqual([undefined, undefined]);
});

test('a meter of miles or hours says miles where the value does', () => {
  const row = (value: string) => buildRecord({ VIN, 'Miles/Hrs': value });
  expect(row('412,000 km').mileage).toBe('412,000 km');
  expect(row('210000km / 9,400 hrs').mileage).toBe('210000km / 9,400 hrs');
  expect(row('9,400')).toEqual({ vin: VIN });
});

test('objects of a web platform', () => {
  const record = readRow({
    vin: VIN,
    category: { name: 'Day Cab' },
    exteriorColor: { name: 'White' },
    usage: { value: 215_000, unit: 'mi' },
    dealership: { name: 'Great Lakes Trucks', phone: '1', address: { city: 'Toledo', state: 'OH' } },
    engine: { make: 'Detroit', model: 'DD13' },
    video: { url: 'https://video.example/1' },
  });
  expect(record).toMatchObject({
    vin: VIN,
    body_type: 'Day Cab',
    color: 'White',
    mileage: 215_000,
    mileage_unit: 'mi',
    city: 'Toledo',
    state: 'OH',
    attributes: { 'dealership.name': 'Great Lakes Trucks', 'video.url': 'https://video.example/1' },
  });
  expect(record.make).toBeUndefined();
  expect(record.url).toBeUndefined();
});

test.each([[[{ SEQ: '1', URL: 'https://i.test/1.jpg' }]], [[{ order: '1', text: 'https://i.test/1.jpg' }]]])(
  'photos with members of their own: %j',
  (photos) => {
    const { photos: columns, ...record } = readRow({ VIN, photos });
    expect([columns, record.images]).toEqual([undefined, photos]);
    expect(readImages(record.images).urls).toEqual(['https://i.test/1.jpg']);
  },
);

test('the address of a photo is not that of the truck’s page', () => {
  const record = readRow({ VIN, gallery: { photo: { link: 'https://i.test/1.jpg' } } });
  expect(record).toEqual({ vin: VIN, attributes: { 'gallery.photo.link': 'https://i.test/1.jpg' } });
});
