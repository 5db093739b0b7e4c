import { afterAll, expect, test } from 'vitest';
import { MAX_LISTING_BYTES, MAX_STORED } from '../../../lib/accounts/access.ts';
import { cleanTruck, cleanTrucks } from '../../support/samples/trucks.ts';
import { startFeedServer } from '../../support/servers/feed-server.ts';
import { signedIn } from '../../support/service/dashboard.ts';
import { queryRows } from '../../support/service/database.ts';
import { startService } from '../../support/service/service.ts';

/** What an account may store by its tier, and that nothing which is stored is ever kept from being changed. */

const server = await startFeedServer();
const service = await startService(server.ports);
afterAll(() => server.close());

const MAX = MAX_STORED.listings.starter;

const own = await service.newAccount({ tier: 'starter', limit_multiplier: 1 });
const [one, other] = cleanTrucks(2);
await own.post({ records: [one, other] });
/** Copies of the search row of one of its listings, out of the market: what is counted. */
const copies = `
  insert into listing_search
  select filled.* from (select to_jsonb(s) as row from listing_search s where account_id = $1 limit 1) stored,
    generate_series(1, $2::int) n, jsonb_populate_record(null::listing_search,
      row || jsonb_build_object('dedup_hash', '\\x' || encode(sha256(n::text::bytea), 'hex'),
        'market_level', null)) filled`;
await queryRows(copies, [own.id, MAX - 3]);

const TOO_MANY = {
  code: 'INVALID_PAYLOAD',
  details: {
    reason: 'too_many_listings',
    field: 'vin',
    fix: expect.stringContaining('Delist'),
    retryable: false,
  },
};

const REFUSED = { status: 400, body: { error: TOO_MANY } };

test('a truck beyond the tier’s number is refused alone, in a batch, by itself and in a dry run', async () => {
  const [first, second] = cleanTrucks(2);
  for (const query of ['?dry_run=true', ''])
    expect(await own.post({ records: [first, second] }, query)).toMatchObject({
      status: 200,
      body: {
        summary: { created: 1, rejected: 1 },
        rejects_by_code: { INVALID_PAYLOAD: 1 },
        results: [{ outcome: 'created' }, { outcome: 'rejected', vin: second?.vin, error: TOO_MANY }],
      },
    });
  expect(await own.post(second)).toMatchObject(REFUSED);
});

const mark = (truck: { vin: string } | undefined, status: string) => own.patch({ vin: truck?.vin, status });

test('what is listed can be changed, sold and delisted; a delisted truck comes back when there is room', async () => {
  const response = await own.post({ records: [{ ...one, price: 71_000 }, other, cleanTruck()] });
  expect(response.body.summary).toMatchObject({ merged: 1, unchanged: 1, rejected: 1 });
  expect((await mark(other, 'sold')).status).toBe(200);
  expect((await own.post(cleanTruck())).status, 'a sold truck is stored').toBe(400);
  await mark(one, 'delisted');
  expect((await own.post(cleanTruck())).status).toBe(201);
  expect(await own.post({ ...one, price: 70_000 })).toMatchObject(REFUSED);
  await mark(other, 'delisted');
  expect((await own.post({ ...one, price: 70_000 })).body).toMatchObject({ status: 'available' });
});

test('a delisted truck is for sale again by its status, too, only when there is room; its sale is always taken', async () => {
  const instead = cleanTruck();
  await mark(one, 'delisted');
  expect((await own.post(instead)).status).toBe(201);
  const available = { vin: one?.vin, status: 'available' };
  expect(await own.post(available)).toMatchObject(REFUSED);
  const response = await own.post({ records: [available, { vin: other?.vin, status: 'delisted' }] });
  expect(response.body.results).toMatchObject([
    { outcome: 'rejected', error: TOO_MANY },
    { outcome: 'unchanged' },
  ]);
  const browser = await signedIn(service, own);
  const page = await browser.post('/dashboard/inventory', 'available', { vin: String(one?.vin) });
  expect([page.status, page.text]).toEqual([400, expect.stringContaining('as many listings as its tier')]);
  expect((await own.post({ ...one, status: 'sold' })).status).toBe(200);
  for (const truck of [one, instead]) await mark(truck, 'delisted');
  expect((await own.post(available)).body).toMatchObject({ previous_status: 'delisted', updated: 1 });
});

test('an account with a multiple stores as many times more; account and dashboard tell its limits, use and contents', async () => {
  await service.admin('PATCH', `/api/admin/accounts/${own.id}`, { limit_multiplier: 2 });
  expect((await own.post({ records: cleanTrucks(3) })).body.summary).toMatchObject({ created: 3 });
  const { body } = await own.call('GET', '/v1/account');
  expect(body).toMatchObject({
    id: own.id,
    tier: 'starter',
    test: false,
    limit_multiplier: 2,
    limits: {
      requests: { limit: 120, window_seconds: 60 },
      batches: { limit: 20 },
      records_per_batch: 500,
      listings: 2 * MAX,
      photo_bytes: 2 * MAX_STORED.photo_bytes.starter,
      listing_bytes: MAX_LISTING_BYTES,
    },
    usage: { approximate: true, listings: MAX + 3, photo_bytes: 0, keys: [{ id: own.keyId }] },
    counts: { listings: { available: MAX + 3, sold: 0, delisted: 2 }, dealers: 0, feeds: 0, leads: 0 },
    contacts: { support: 'support@trucks.test' },
  });
  const page = await (await signedIn(service, own)).get('/dashboard/settings');
  expect(page.text).toMatch(/5,003 of 10,000<progress max="10000" value="5003" aria-label="Trucks">/);
  expect(page.text).toContain('0.0 GB of 10.0 GB');
});

test('a listing beyond 32 KiB is refused by its largest member; one that is stored may shrink, and not grow', async () => {
  const account = await service.newAccount();
  const truck = cleanTruck({ description: '漢'.repeat(8_000) });
  const tooLarge = (details: object) => ({
    status: 400,
    body: { error: { code: 'INVALID_PAYLOAD', details: { reason: 'listing_too_large', ...details } } },
  });
  expect(await account.post({ ...truck, upfit_notes: 'x'.repeat(12_000) })).toMatchObject(
    tooLarge({ field: 'description', fix: expect.stringContaining('24002 bytes') }),
  );
  expect((await account.post(truck)).status).toBe(201);
  await queryRows(
    `update listings set input_hash = null, images = (select json_agg('https://photos.example/' || repeat('x', 400) || n)
      from generate_series(1, 100) n) where account_id = $1`,
    [account.id],
  );
  expect((await account.post({ ...truck, price: 71_000 })).body).toMatchObject({ outcome: 'merged' });
  const grown = await account.post({ ...truck, price: 72_000, upfit_notes: 'x'.repeat(1_000) });
  expect(grown).toMatchObject(tooLarge({ field: 'images' }));
});
