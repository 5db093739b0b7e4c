import { describe, expect, test } from 'vitest';
import { columnTable } from '../../../lib/feeds/pages/preview-view.ts';
import { buildRecord, listFields, makePlan, VIN } from './plan.ts';

/** Which field a column is, by its name and its values. */

const findField = (column: string, ...values: unknown[]) =>
  listFields(
    makePlan(
      [column],
      values.map((value) => ({ [column]: value })),
    ),
  )[column] ?? null;

test.each<[column: string, field: string | null, ...values: unknown[]]>([
  ['Inventory Type', 'condition', 'Used'],
  ['MAKE/MFR', 'make', 'INTL'],
  ['Numéro d’inventaire', 'stock_number', 'M7'],
  ['Meter1', 'mileage', '81,000'],
  ['Meter1 Type', 'mileage_unit', 'KM'],
  ['Make/Model', null, 'Mack Granite'],
  ['Prix demandé ($ CA)', 'price', '64500'],
  ['image[0].url', 'images', 'https://i.test/1.jpg'],
  ['Ejes', 'drivetrain', '6x4'],
  // A name that may mean anything is judged by its values.
  ['Ejes', null, '3'],
  ['type', 'condition', 'New', 'Used', 'used'],
  ['type', 'body_type', 'Sleeper', 'Day Cab', 'Box Truck'],
  ['type', null, 'A1', 'B2'],
  ['class', 'body_type', 'Wrecker', 'Bucket Truck'],
  ['class', null, 'Heavy Hauler'],
  ['GVWR Class', 'gvwr', 'Class 5: 16,001 - 19,500 lb', '16,500 lbs', '19,500'],
  ['GVWR Class', 'class', 'Class 5', 'Class 6'],
  ['VehicleId', 'vin', VIN],
  ['VehicleId', 'stock_number', '10482'],
  ['List', null, '1', '1'],
  ['state_of_vehicle', 'condition', 'used'],
])('%j is %j, of %j', (column, field, ...values) => {
  expect(findField(column, ...values)).toBe(field);
});

test('the dealer’s word wins, however the name is spelled; null takes a column away', () => {
  const row = { vin: VIN, Price: '1', Cash: '2', Notes: 'x' };
  const mapping = { cash: 'price', NOTES: null };
  expect(buildRecord(row, { mapping })).toEqual({ vin: VIN, price: '2', attributes: { Price: '1' } });
  expect(listFields(makePlan(['DealerId']))).toEqual({ DealerId: 'source_provider_id' });
  expect(listFields(makePlan(['DealerId'], [], { source_provider_id: 'dms' }))).toEqual({});
});

test('a mapping takes no field for a column that the file lacks, and means the column of its exact name first', () => {
  expect(listFields(makePlan(['Price'], [], { mapping: { Cash: 'price' } }))).toEqual({ Price: 'price' });
  for (const mapping of [
    { 'Stock #': 'stock_number', Stock: null },
    { Stock: null, 'Stock #': 'stock_number' },
  ])
    expect(listFields(makePlan(['Stock', 'Stock #'], [], { mapping }))).toEqual({
      'Stock #': 'stock_number',
    });
});

describe('a column of dealers', () => {
  test.each([
    ['lone-star-trucks', 'lone-star-trucks'],
    [' LONE STAR TRUCKS. ', 'lone-star-trucks'],
  ])('that a mapping names holds slugs, or names that spell them: %j is %j', (Rooftop, dealer) => {
    expect(buildRecord({ VIN, Rooftop }, { mapping: { Rooftop: 'dealer' } }).dealer).toBe(dealer);
  });

  test('can be named in the dashboard', () => {
    expect(String(columnTable([], { Rooftop: null }))).toContain('value="dealer=Rooftop"');
  });
});
