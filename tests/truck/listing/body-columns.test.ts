import { describe, expect, test } from 'vitest';
import { recordReader } from '../../../lib/feeds/mapping/feed-record.ts';
import { readRecord } from '../../../lib/truck/listing/read-record.ts';
import { makePlan } from '../../feeds/mapping/plan.ts';
import { readFields } from '../read-fields.ts';

/** Files and records that tell the body in several places: the chassis' own column, the upfit's, and words about it. */

test('the last of ten texts tells the body; what a long one says last is not stored as the body', () => {
  const remarks = Array.from({ length: 9 }, (_, n) => `Remark ${n}`);
  expect(readFields({ body_type: [...remarks, 'Dump body'] }).body_type).toBe('dump');
  const long = `${'one owner and well kept '.repeat(4)}dump body`;
  const { body_type, body_description } = readRecord({ body_type: long }).patch.fields;
  expect([body_type, body_description]).toEqual([undefined, long]);
});

const COLUMNS = ['VIN', 'Make', 'Body', 'Style', 'Upfit Type', 'Upfit Mfr', 'Upfit Desc', 'Comments'];
const VIN = '1FUJGLDR3HLHG7501';

/** Of a file as Work Truck Solutions write it; another row shows that its columns tell bodies. */
function readRow(values: readonly string[]) {
  const rows = [
    [VIN, 'Ford', ...values],
    ['', '', 'Dump', '', 'Dump Body', '', 'x', 'y'],
  ].map((row) => Object.fromEntries(COLUMNS.map((column, at) => [column, row[at] ?? ''])));
  const [record = {}] = rows.map(recordReader(makePlan(COLUMNS, rows)));
  return readFields(record);
}

describe('the upfit’s columns say more than the chassis’', () => {
  test.each<[string[], string]>([
    [
      ['Crew Cab Chassis', '4x4 SD Crew Cab', 'Service Body', 'Royal', "Royal 11' service body"],
      'service_body',
    ],
    [['Tow', '', 'Rollback', 'Jerr-Dan', "22' rollback carrier"], 'rollback'],
    [['Conventional', '', '', '', 'Pulls double bottom dump'], 'tractor'],
    [['Cab Chassis', '', '', '', ''], 'cab_chassis'],
  ])('%j is a %s', (values, body) => {
    const truck = readRow(values);
    expect(truck.body_type).toBe(body);
    if (values[4]) expect(truck.body_description).toBe(values[4]);
  });
});

test.each<[object, string | null]>([
  [{ body_type: 'Oil Field Trucks', description: 'Tank truck - 3000 gal vac, TC406' }, 'tanker'],
  [{ body_type: 'Cab Chassis', description: 'Ready for your dump body' }, 'cab_chassis'],
  [{ description: 'Dump truck' }, null],
])('%j is a %s', (record, body) => {
  expect(readFields(record).body_type).toBe(body);
});

test('a consumer body in any text of a list is no way around the rule', () => {
  expect(readRecord({ body_type: ['Dump', 'SUV'] }).patch.fields.body_type).toBe('SUV');
});
