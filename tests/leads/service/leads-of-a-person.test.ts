import { expect, test } from 'vitest';
import { type Mail, MailFailure } from '../../../lib/outside/mailer/mailer.ts';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { queryRows } from '../../support/service/database.ts';
import { CRON_SECRET, startService } from '../../support/service/service.ts';

/** One lead, a person's leads, and leads that could not be delivered. */

const mails: Mail[] = [];
let refuses = false;
const service = await startService(() => ({
  mailer: {
    async send(mail) {
      if (refuses) throw new MailFailure('smtp_550');
      mails.push(mail);
    },
  },
}));
const account = await service.newAccount();

const newDealer = async (change: Record<string, unknown> = {}): Promise<string> => {
  const slug = uniqueSlug();
  await account.call('POST', '/v1/dealers', { slug, name: 'Lone Star Trucks', ...change });
  return slug;
};
let visitors = 0;
const leave = async (dealerSlug: string, lead: Record<string, unknown>): Promise<string> => {
  visitors += 1;
  const visitorId = `person-${visitors}`;
  const sent = { message: 'Is it there?', dealerSlug, visitorId, ...lead };
  return (await account.call('POST', '/v1/widget/lead', sent)).body.leadId;
};
const find = async (query: string): Promise<string[]> =>
  (await account.call('GET', `/v1/leads?${query}`)).body.leads.map(({ id }: { id: string }) => id);

test('a lead is read by its id as it stands in the list; another account’s and another dealer’s are absent', async () => {
  const [slug, other] = [await newDealer(), await newDealer()];
  const id = await leave(slug, { email: 'one@visitor.example' });
  const { status, body } = await account.call('GET', `/v1/leads/${id}`);
  expect([status, body]).toEqual([
    200,
    (await account.call('GET', `/v1/leads?dealer=${slug}`)).body.leads[0],
  ]);
  const made = await service.admin('POST', '/api/admin/keys', {
    account_id: account.id,
    kind: 'secret',
    dealers: [other],
  });
  for (const token of [made.body.key, (await service.newAccount()).key])
    expect((await service.call('GET', `/v1/leads/${id}`, { token })).status).toBe(404);
});

test('a person’s leads are found by address in any case and by phone as people write it, in updates too', async () => {
  const slug = await newDealer();
  const first = await leave(slug, { email: 'Ann.Lee@visitor.example' });
  const second = await leave(slug, { phone: '210-555-0147' });
  await account.call('POST', '/v1/widget/lead', {
    message: 'And this one?',
    dealerSlug: slug,
    visitorId: `person-${visitors}`,
    email: 'ann.lee@visitor.example',
    phone: '210-555-0147',
  });
  await leave(slug, { email: 'bob@visitor.example', phone: '210-555-0148' });
  expect(await find('email=ann.lee@VISITOR.example')).toEqual([second, first]);
  expect(await find(`phone=${encodeURIComponent('+1 (210) 555.0147')}`)).toEqual([second]);
  expect((await account.call('GET', '/v1/leads?phone=banana')).body.error.details.field).toBe('phone');
});

test('what was given up is sent when it is asked for, and not again', async () => {
  const slug = await newDealer({ lead_email: `crm-${visitors}@dealer.example` });
  refuses = true;
  const id = await leave(slug, { email: 'cara@visitor.example' });
  await service.call('GET', '/api/cron/due', { token: CRON_SECRET });
  const delivery = async () => (await account.call('GET', `/v1/leads/${id}`)).body.delivery;
  // Tried after the answer, by whichever run claims it first.
  await expect.poll(delivery, { timeout: 60_000 }).toMatchObject([{ last_error: expect.any(String) }]);
  await queryRows(
    `update lead_deliveries set status = 'dead', created_at = now() - interval '4 days'
    where account_id = $1 and lead_id = $2`,
    [account.id, id],
  );
  refuses = false;
  mails.length = 0;
  const retry = () => account.call('POST', `/v1/leads/${id}/deliveries`);
  expect((await retry()).status).toBe(202);
  await service.call('GET', '/api/cron/due', { token: CRON_SECRET });
  await expect.poll(delivery, { timeout: 60_000 }).toMatchObject([{ kind: 'email', status: 'delivered' }]);
  await retry();
  await service.call('GET', '/api/cron/due', { token: CRON_SECRET });
  expect(mails).toHaveLength(1);
});

test('a way that the dealer has gained since is taken', async () => {
  const slug = await newDealer();
  const id = await leave(slug, { email: 'dan@visitor.example' });
  await account.call('PATCH', '/v1/dealers', { slug, lead_email: 'sales@dealer.example' });
  expect((await account.call('POST', `/v1/leads/${id}/deliveries`)).body.delivery).toMatchObject([
    { kind: 'email' },
  ]);
});

test('an erasure leaves an audit row without the person', async () => {
  const id = await leave(await newDealer(), { email: 'eve@visitor.example' });
  await account.call('DELETE', `/v1/leads/${id}`);
  const rows = await queryRows(
    `select target, detail from audit where action = 'lead.erase' and target = $1`,
    [account.id],
  );
  expect(rows).toEqual([{ target: account.id, detail: { lead: id } }]);
});
