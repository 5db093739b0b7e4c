import { describe, expect, test } from 'vitest';
import { recordReader } from '../../../lib/feeds/mapping/feed-record.ts';
import { readImages } from '../../../lib/images/names/images.ts';
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

  test('a column of VINs is one although a few of them are mistyped', () => {
    const rows = ['3AKJHHDR8KJ420226', '1XKYD49X3LJ428145', '1XP5DB9X26J436064', '1XPXDP9X1GJ443983'].map(
      (Chassis) => ({ Chassis }),
    );
    const of = (...more: string[]) =>
      listFields(makePlan(['Chassis'], [...rows, ...more.map((vin) => ({ Chassis: vin }))])).Chassis;
    expect(of('1XP5DB9X26J43O064')).toBe('vin');
    expect(of('1XP5DB9X26J43O064', '1XP5DB9X26J43O065')).toBeUndefined();
    expect(of('see title', 'see title')).toBeUndefined();
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

test('specifications as a list of named values', () => {
  const SPECS = [
    { NAME: 'ENGINE', text: 'Cummins X15 565HP' },
    { NAME: 'GVWR', text: '60,000 GVW' },
    { NAME: 'RATIO', text: '4.10' },
  ];
  expect(readRow({ VIN, SPECS })).toEqual({
    vin: VIN,
    engine: 'Cummins X15 565HP',
    gvwr: '60,000 GVW',
    attributes: { 'SPECS.RATIO': '4.10' },
  });
  const twice = [
    { name: 'Axle', value: '1' },
    { name: 'Axle', value: '2' },
  ];
  expect(readRow({ VIN, twice })).toEqual({ vin: VIN, attributes: { twice } });
});

describe('a list that names the truck in one column', () => {
  test.each<[string, number, string, string, string | undefined]>([
    ['2015 Kenworth T800 Tri-Drive Gravel Truck', 2015, 'Kenworth', 'T800', 'Tri-Drive Gravel Truck'],
    ['2012 Pete 388 Day Cab', 2012, 'Peterbilt', '388', 'Day Cab'],
    ['2018 Western Star 4900SA Picker', 2018, 'Western Star', '4900SA', 'Picker'],
    ['2020 Mack Anthem 70" sleeper', 2020, 'Mack', 'Anthem', '70" sleeper'],
    ['2014 Ford F550 4x4 Service Truck', 2014, 'Ford', 'F550', '4x4 Service Truck'],
    ['2019 Volvo VNL 760', 2019, 'Volvo', 'VNL 760', undefined],
    ['Kenworth W900B 1999', 1999, 'Kenworth', 'W900B', undefined],
  ])('%s', (Truck, year, make, model, body_type) => {
    const record = buildRecord({ VIN, Truck });
    expect(record).toEqual({ vin: VIN, year, make, model, body_type, attributes: { Truck } });
  });

  test.each(['Kenworth T800', '2015 Kenworth', '2015 good truck', 'Call 2015-2016 Kenworth T800'])(
    '%s is none',
    (Truck) => {
      expect(buildRecord({ VIN, Truck })).toEqual({ vin: VIN, attributes: { Truck } });
    },
  );

  test('is not looked at where a column names year or make', () => {
    const title = '2015 Kenworth T800';
    expect(buildRecord({ VIN, Year: '2016', Title: title })).toMatchObject({ year: '2016' });
    expect(buildRecord({ VIN, Year: '2016', Title: title }).make).toBeUndefined();
  });
});
