import { afterAll, expect, test } from 'vitest';
import { neverCommitting } from '../../support/postgres/answering.ts';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { startFeedServer, toCsv } from '../../support/servers/feed-server.ts';
import { ORIGIN, signedIn } from '../../support/service/dashboard.ts';
import { queryRows } from '../../support/service/database.ts';
import { startService, type TestAccount } from '../../support/service/service.ts';

/** Who changes something leaves a row in the activity, by the dashboard or by the API; it commits with the change. */

const server = await startFeedServer();
const service = await startService(server.ports);
afterAll(() => server.close());

/** Without those of the set-up. */
const actions = async ({ id }: TestAccount) =>
  (
    await queryRows<{ action: string }>(
      `select action from audit where account_id = $1 and action ~ '^(feed|dealer|lead)' order by id`,
      [id],
    )
  ).map(({ action }) => action);

test('feeds, dealers, leads and uploads', async () => {
  const account = await service.newAccount();
  const { call } = account;
  const [file, slug] = [server.file(), uniqueSlug()];
  file.serve(toCsv([cleanTruck()]));
  const feed = (await call('POST', '/v1/feeds', { name: 'Nightly', url: file.url })).body;
  await call('PATCH', `/v1/feeds/${feed.id}`, { name: 'Hourly' });
  await call('POST', `/v1/feeds/${feed.id}/runs?wait=true`);
  const browser = await signedIn(service, account);
  const raw = new FormData();
  raw.set('file', new Blob([toCsv([cleanTruck()])]), 'october.csv');
  raw.set('action', 'push');
  const headers = { cookie: `session=${browser.cookies.get('session')}`, origin: ORIGIN };
  await service.call('POST', '/dashboard/upload', { raw, headers });
  await expect
    .poll(async () => (await browser.get('/dashboard/activity')).text, { timeout: 30_000 })
    .toMatch(/File uploaded.*october\.csv.*Feed run started.*Hourly/s);
  await call('DELETE', `/v1/feeds/${feed.id}`);
  await call('POST', '/v1/dealers', { slug, name: 'Lone Star' });
  await call('PATCH', '/v1/dealers', { slug, phone: '2105550142' });
  const json = { message: 'Is it there?', dealerSlug: slug, visitorId: 'v-1', email: 'fay@visitor.example' };
  const { leadId } = (await call('POST', '/v1/widget/lead', json)).body;
  await call('PATCH', `/v1/leads/${leadId}`, { status: 'contacted' });
  await call('POST', `/v1/leads/${leadId}/deliveries`);
  await call('DELETE', `/v1/leads/${leadId}`);
  await call('DELETE', `/v1/dealers/${slug}`);
  expect(await actions(account)).toEqual([
    'feed.create',
    'feed.change',
    'feed.run',
    'feed.remove',
    'dealer.create',
    'dealer.change',
    'lead.change',
    'lead.retry',
    'lead.erase',
    'dealer.remove',
  ]);
});

test('neither what is refused, rehearsed or replayed, nor what did not commit', async () => {
  const account = await service.newAccount();
  const slug = uniqueSlug();
  const add = (query: string) =>
    account.call('POST', `/v1/dealers${query}`, { slug, name: 'Lone Star' }, { 'idempotency-key': slug });
  await account.call('PATCH', '/v1/dealers', { slug, phone: '2105550142' });
  await add('?dry_run=true');
  expect(await actions(account)).toEqual([]);
  for (let times = 0; times < 2; times += 1) await add('');
  const broken = await startService(({ db }) => ({ db: neverCommitting(db) }));
  const response = await broken.call('DELETE', `/v1/dealers/${slug}`, { token: account.key });
  expect(response.status).toBe(500);
  expect(await actions(account)).toEqual(['dealer.create']);
  expect((await account.call('GET', `/v1/dealers/${slug}`)).status).toBe(200);
});
