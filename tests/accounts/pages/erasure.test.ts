import { expect, test } from 'vitest';
import { ACCOUNT_TABLES } from '../../../drizzle/schema/tenant-tables.ts';
import { beginErasures } from '../../../lib/accounts/queries/erasure.ts';
import { mediaKey } from '../../../lib/images/names/media.ts';
import { SAMPLES } from '../../support/samples/samples.ts';
import { signedIn, type TestBrowser } from '../../support/service/dashboard.ts';
import { queryRows } from '../../support/service/database.ts';
import { CRON_SECRET, goodTruck, startService, type TestAccount } from '../../support/service/service.ts';

/** Taking everything along, and erasing it. */

const service = await startService();

/** Rows by table, of those that have some. */
async function countRows({ id }: TestAccount): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of ACCOUNT_TABLES) {
    const { length } = await queryRows(`select 1 from ${table} where account_id = $1`, [id]);
    if (length > 0) counts[table] = length;
  }
  return counts;
}

/** An account with something in nearly every table, and an object of its own. */
async function filledAccount(name: string): Promise<{ account: TestAccount; image: string }> {
  const account = await service.newAccount({ name });
  const stage = { service, account };
  for (const id of ['postWidgetChat', 'postFeedRuns', 'postWidgetLead', 'releaseFeedRun']) {
    const sample = await SAMPLES[id]?.(stage);
    if (sample) await account.call('POST', sample.path, sample.json);
  }
  await account.call(
    'POST',
    '/v1/inventory',
    { records: [goodTruck({ images: ['https://x.example/a.jpg'] }), { vin: 'short' }] },
    { 'idempotency-key': `k-${name}` },
  );
  const image = Buffer.from(name.padEnd(32, '.')).toString('hex').slice(0, 64);
  await service.ports.objects.put(mediaKey(image, 'original.jpg'), Buffer.from('jpg'), 'image/jpeg');
  await queryRows(
    `insert into stored_images (account_id, hash, width, height, original, placeholder, renditions)
     values ($1, decode($2, 'hex'), 1, 1, $3, '', '[]')`,
    [account.id, image, `/media/${image}/original.jpg`],
  );
  return { account, image };
}

async function runHousekeeping() {
  await queryRows(`update leases set expires_at = now() where job = 'housekeeping'`);
  expect((await service.call('GET', '/api/cron/housekeeping', { token: CRON_SECRET })).status).toBe(200);
}

/** As if so much time had passed since the erasure was asked for, or begun. */
async function moveErasure({ id }: TestAccount, time: 'erase_at' | 'erasing_at', interval: string) {
  // In two statements, since a cluster computes no time by its zone in an update.
  const read = `select (${time} - $2::interval)::text as at from accounts where id = $1`;
  const [row] = await queryRows<{ at: string }>(read, [id, interval]);
  await queryRows(`update accounts set ${time} = $2::timestamptz where id = $1`, [id, row?.at]);
}

const readAccess = async ({ call }: TestAccount) => (await call('GET', '/v1/account')).status;
const readState = async ({ id }: TestAccount) =>
  (await service.admin('GET', `/api/admin/accounts/${id}`)).body;

const UNDO = '/dashboard/erasure';
const erase = (owner: TestBrowser, account_name: string) =>
  owner.post('/dashboard/settings', 'erase', { account_name });

test('the export holds the account’s rows and no secret; erasing needs its name, refuses its keys and pages at once, and removes nothing for 7 days', async () => {
  const { account } = await filledAccount('Asked');
  const owner = await signedIn(service, account);
  const email = `member-${account.id}@dealer.example`;
  const member = await signedIn(service, account, { email, role: 'member' });
  expect(await readAccess(account)).toBe(200);
  const { text } = await owner.post('/dashboard/settings', 'export');
  const lines = text.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).table)).toEqual(
    expect.arrayContaining(['dealers', 'people', 'feeds', 'listings', 'leads', 'messages']),
  );
  expect(text).not.toMatch(/"(?:password|private_key|lead_webhook_secret|token_hash)"/);
  const before = await countRows(account);
  const refusal = await erase(owner, 'Another');
  expect(refusal.status).toBe(400);
  expect(refusal.text).toContain('“Name of the account, to confirm” must be typed');
  const requests = [
    await erase(owner, 'Asked'),
    await owner.get('/dashboard/leads'),
    await owner.post('/dashboard/settings', 'export'),
  ];
  expect(requests.map(({ headers }) => headers.get('location'))).toEqual([UNDO, UNDO, UNDO]);
  expect(await readAccess(account)).toBe(401);
  expect((await member.get(UNDO)).status).toBe(403);

  await moveErasure(account, 'erase_at', '6 days 23 hours');
  await runHousekeeping();
  const { listings, leads, feeds } = before;
  expect(await countRows(account)).toMatchObject({ listings, leads, feeds });
  expect(await readState(account)).toMatchObject({ suspended: true, erasing: true });
  // By a new session, too, of any owner.
  const other = await signedIn(service, account, { email: `second-${account.id}@dealer.example` });
  expect((await other.post(UNDO, 'keep')).headers.get('location')).toBe('/dashboard?done=kept');
  expect([await readAccess(account), (await member.get('/dashboard')).status]).toEqual([200, 200]);
  expect(await readState(account)).toMatchObject({ suspended: false, erasing: false, erase_at: null });
  expect((await owner.get(UNDO)).text).toContain('Nothing will be erased');
  expect((await owner.get('/dashboard/activity')).text).toMatch(
    /Erasure undone.*Erasure in 7 days requested/s,
  );
});

test('an owner does not undo the operator’s suspension, nor the operator the erasure’s', async () => {
  const account = await service.newAccount({ name: 'Suspended' });
  const owner = await signedIn(service, account);
  const suspend = (suspended: boolean) =>
    service.admin('PATCH', `/api/admin/accounts/${account.id}`, { suspended });
  await erase(owner, 'Suspended');
  expect((await suspend(false)).body).toMatchObject({ suspended: true, erasing: true });
  await suspend(true);
  await owner.post(UNDO, 'keep');
  expect(await readState(account)).toMatchObject({ suspended: true, erasing: false });
});

test('after 7 days nothing undoes it, and no row and no object is left', async () => {
  const { account, image } = await filledAccount('Erased');
  const { account: other } = await filledAccount('Kept');
  // Issues raise a mail to the owners; and calls are counted in the process, and written with the last one.
  await runHousekeeping();
  await other.call('GET', '/v1/account');
  const before = await countRows(other);
  const owner = await signedIn(service, account);
  expect(Object.keys(await countRows(account)).length).toBeGreaterThan(12);
  await erase(owner, 'Erased');
  await moveErasure(account, 'erase_at', '7 days');
  expect(await beginErasures(service.ports.db)).toContain(account.id);
  expect((await owner.post(UNDO, 'keep')).text).toContain('It is too late');
  await runHousekeeping();
  expect(await readAccess(account)).toBe(401);

  await moveErasure(account, 'erasing_at', '7 minutes');
  await expect
    .poll(async () => {
      await runHousekeeping();
      return queryRows('select id from accounts where id = $1', [account.id]);
    })
    .toEqual([]);
  expect(await countRows(account)).toEqual({});
  expect(await service.ports.objects.get(mediaKey(image, 'original.jpg'))).toBeNull();
  expect(await countRows(other)).toEqual(before);
  const record = 'select actor from audit where action = $1 and target = $2';
  expect(await queryRows(record, ['account.erase', account.id])).toEqual([{ actor: 'owner' }]);
});
