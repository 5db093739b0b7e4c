import { expect, test } from 'vitest';
import { RejectedRows } from '../../../lib/feeds/uploads/rejected-rows.ts';

test('rows that each name columns of their own give no table of all by all', async () => {
  const rejected = new RejectedRows();
  for (let line = 1; line <= 600; line++) {
    const fields = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`c${line}_${at}`, 1]));
    rejected.add({ line, fields, fault: null }, 'mend it');
  }
  const csv = await rejected.toCsv(null);
  expect(csv.length).toBeGreaterThan(100_000);
  expect(csv.length).toBeLessThan(4_000_000);
});
