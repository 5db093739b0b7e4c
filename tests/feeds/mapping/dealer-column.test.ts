import { expect, test } from 'vitest';
import { recordReader } from '../../../lib/feeds/mapping/feed-record.ts';
import { columnTable, toMapping } from '../../../lib/feeds/pages/preview-view.ts';
import { makePlan, VIN } from './plan.ts';

const readDealer = (value: unknown, mapping: Record<string, string | null> | null) => {
  const row = { VIN, Rooftop: value };
  return recordReader(makePlan(null, [row], { mapping }))(row).dealer;
};

test.each([
  ['lone-star-trucks', 'lone-star-trucks'],
  ['Lone Star Trucks', 'lone-star-trucks'],
  [' LONE STAR TRUCKS. ', 'lone-star-trucks'],
  ['---', '---'],
])('a column mapped to the dealer: %j is %j', (sent, slug) => {
  expect(readDealer(sent, { Rooftop: 'dealer' })).toBe(slug);
});

test('no column is taken for the dealer by itself', () => {
  expect(readDealer('Lone Star Trucks', null)).toBeUndefined();
});

test('a person may say that a column holds dealers', () => {
  const column = { column: 'Rooftop', field: null, kept: true, confidence: 0, examples: ['North'] };
  expect(String(columnTable([column], {}))).toContain('value="dealer=Rooftop"');
  expect(toMapping(['dealer=Rooftop', '=Age'])).toEqual({ Rooftop: 'dealer', Age: null });
});
