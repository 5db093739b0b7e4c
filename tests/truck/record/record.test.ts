import { expect, test } from 'vitest';
import type { Entry } from '../../../lib/truck/record/entry.ts';
import { describeShape } from '../../../lib/truck/record/record.ts';

const ENTRY: Entry = {
  kind: 'integer',
  names: ['axles'],
  label: 'Axles',
  about: 'Number of axles.',
  example: 3,
  search: { values: { about: 'Numbers of axles.', example: '2,3' } },
};

test('other words for a field leave what is stored up to date, other names do not', () => {
  const shape = describeShape({ axles: ENTRY });
  const search = { values: { about: 'Counts.', example: '4' } };
  expect(describeShape({ axles: { ...ENTRY, label: 'x', about: 'x', example: 2, search } })).toBe(shape);
  expect(describeShape({ axles: { ...ENTRY, names: ['axles', 'axle_count'] } })).not.toBe(shape);
});
