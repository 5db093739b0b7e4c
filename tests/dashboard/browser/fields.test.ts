import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { fields } from '../../../lib/dashboard/parts/fields.ts';

test('a form shows stored values, but no secret', () => {
  const schema = z.object({ name: z.string(), password: z.optional(z.string()) });
  const values = { name: 'A & B', password: 'quetzal' };
  const html = String(
    fields({ formValues: {}, formLists: {}, problem: null }, { schema, stored: values }, [
      'name',
      'password',
    ]),
  );
  expect(html).toMatch(/value="A &amp; B"\s+required>/);
  expect(html).not.toContain('quetzal');
});
