import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { fields } from '../../../lib/dashboard/parts/fields.ts';
import { toForm, toFormValues } from '../../../lib/http/pages/form.ts';

const schema = z.object({
  name: z.string().check(z.maxLength(200)),
  email: z.optional(z.nullable(z.email())),
  reply_minutes: z.optional(z.nullable(z.int())),
  lead_email_format: z.optional(z.enum(['adf', 'both'])),
  password: z.optional(z.string()),
});

test('a form says what its schema says, and its stored values but no secret', () => {
  const stored = { name: 'A & B', reply_minutes: 5, lead_email_format: 'adf', password: 'quetzal' };
  const call = { sent: { email: 'typed' }, problem: null };
  const html = String(fields(call, { schema, stored }, Object.keys(schema.shape))).replace(/\s+/g, ' ');
  expect(html).toMatch(
    /<input id="name" name="name" type="text" value="A &amp; B" required maxlength="200">/,
  );
  expect(html).toMatch(/Answers within minutes.*type="number" value="5" ?>/);
  expect(html).toMatch(/name="email" type="email" value="typed" ?>/);
  expect(html).toContain('<option value="adf" selected>For a CRM only (ADF)</option>');
  expect(html).not.toContain('quetzal');
});

test('what it sends is read by the same schema: blank is null where that is taken, else absent', () => {
  const sent = toForm([
    ['name', ' '],
    ['email', ''],
    ['reply_minutes', '10'],
    ['lead_email_format', ''],
  ]);
  expect(toFormValues(sent, schema)).toEqual({ email: null, reply_minutes: 10 });
});
