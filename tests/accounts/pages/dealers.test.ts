import { afterAll, expect, test } from 'vitest';
import { smtpMailer } from '../../../lib/outside/mailer/smtp.ts';
import { startMailServer } from '../../support/servers/mail-server.ts';
import { signedIn, toPlainText } from '../../support/service/dashboard.ts';
import { startService } from '../../support/service/service.ts';

/** Dealers in the browser: hours as people write them, and the way of leads. */

const PATH = '/dashboard/settings/dealers/lone-star';

const smtp = await startMailServer();
const service = await startService(() => ({
  mailer: smtpMailer({ url: `smtp://127.0.0.1:${smtp.port}`, from: 'leads@trucks.example' }),
}));
const account = await service.newAccount();
const owner = await signedIn(service, account);
const made = await owner.post('/dashboard/settings/dealers', 'create', { name: 'Lone Star' });
expect(made.headers.get('location')).toBe('/dashboard/settings/dealers/lone-star?done=created');
afterAll(() => smtp.close());

const save = (fields: Record<string, string>) =>
  owner.post(PATH, 'change', { name: 'Lone Star', city: 'Dallas', state: 'TX', ...fields });

test('opening hours are written as days, and shown a day on a line', async () => {
  expect((await save({ hours: 'Mon-Fri 8am-5pm, Sat 9am-1pm', closed_on: '2026-12-25' })).status).toBe(303);
  const { hours, time_zone } = (await account.call('GET', '/v1/dealers/lone-star')).body;
  expect(hours).toMatchObject({ fri: [{ opens: '08:00', closes: '17:00' }], closed_on: ['2026-12-25'] });
  expect([hours.sun, time_zone]).toEqual([undefined, 'America/Chicago']);
  expect((await owner.get(PATH)).text).toContain('Thu 8am-5pm\nFri 8am-5pm\nSat 9am-1pm</textarea>');
});

test('all that is wrong is said at once, by the names on the page', async () => {
  const wrong = await save({
    hours: 'by appointment',
    email: 'nobody',
    lead_webhook_url: 'https://me:secret@x.example',
  });
  expect(wrong.status).toBe(400);
  const text = toPlainText(wrong.text);
  expect(text).toContain('Nothing was saved: 3 fields need a change.');
  expect(text).toMatch(
    /“E-mail address” .*“Opening hours” is not clear at “by appointment”.*“Leads by webhook to” must/,
  );
  expect(wrong.text.match(/aria-invalid="true"/g)).toHaveLength(3);
  expect(wrong.text).toContain('by appointment</textarea>');
});

test('a test lead goes the way of real ones, and what stands in the way is said', async () => {
  const ways = { lead_email: 'crm@lonestar.example', lead_email_format: 'adf' };
  expect((await save(ways)).status).toBe(303);
  expect((await account.call('GET', '/v1/dealers/lone-star')).body).toMatchObject(ways);
  expect((await owner.get(PATH)).text).toContain('<option value="adf" selected>');
  const send = (kind: string) => owner.post(PATH, 'test_lead', { kind });
  expect((await send('email')).headers.get('location')).toBe(`${PATH}?done=tested`);
  expect(smtp.mails.map(({ to_, text }) => [to_[0], text?.includes('This is a test')])).toEqual([
    ['crm@lonestar.example', true],
  ]);
  expect((await account.call('GET', '/v1/leads')).body.leads).toEqual([]);
  smtp.answer(550);
  for (const [kind, why] of [
    ['email', 'smtp 550'],
    ['webhook', 'no address'],
  ] as const)
    expect(toPlainText((await send(kind)).text)).toContain(`did not arrive: ${why}`);
});
