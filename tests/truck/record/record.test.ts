import { expect, test } from 'vitest';
import type { Entry } from '../../../lib/truck/record/entry.ts';
import { describeShape } from '../../../lib/truck/record/record.ts';

const ENTRY: Entry = {
  kind: 'integer',
  names: ['axles'],
  label: 'Axles',
  about: 'Number of axles.',
  example: 3,
  search: {
    values: { about: 'Numbers of axles.', example: '2,3' },
    range: { about: 'number of axles.', examples: [2, 4] },
  },
};

test('other words for a field leave what is stored up to date, other names do not', () => {
  const shape = describeShape({ axles: ENTRY });
  const reworded: Entry = {
    ...ENTRY,
    label: 'Axle count',
    about: 'How many axles.',
    example: 2,
    search: { values: { about: 'Counts.', example: '4' }, range: { about: 'count.', examples: [1, 5] } },
  };
  expect(describeShape({ axles: reworded })).toBe(shape);
  expect(describeShape({ axles: { ...ENTRY, names: ['axles', 'axle_count'] } })).not.toBe(shape);
});
