import { expect, test } from 'vitest';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { startService } from '../../support/service/service.ts';

/** What a post says of a truck’s status. */

const service = await startService();
const account = await service.newAccount();

const change = (vin: string, previous_status: string, status: string, updated = 1) => ({
  vin,
  status,
  previous_status,
  updated,
});

test('vin and status alone change all listings of the VIN, and are answered as PATCH does', async () => {
  const truck = cleanTruck();
  for (const source_provider_id of ['a', 'b']) await account.post({ ...truck, source_provider_id });
  const { vin } = truck;
  const sold = await account.post({ VIN: vin, status: 'Sold' });
  expect([sold.status, sold.body]).toEqual([200, change(vin, 'available', 'sold', 2)]);
  const back = await account.post({ vin, status: 'available', source_provider_id: 'b' });
  expect(back.body).toEqual(change(vin, 'sold', 'available'));
  const listing = await account.read(vin);
  expect([listing.status, listing.sold_at]).toEqual(['available', null]);
  expect((await account.post({ vin: cleanTruck().vin, status: 'sold' })).status).toBe(404);
  const short = await account.post({ vin: 'SHORT', status: 'sold' });
  expect(short.body.error.details.stages).toEqual({ validate: 'VIN_LENGTH' });
});

test('a truck that is sold or delisted before it was listed is not found and not stored', async () => {
  for (const status of ['sold', 'delisted']) {
    const truck = cleanTruck({ status });
    expect((await account.post(truck)).status).toBe(404);
    const { body } = await account.post({ records: [truck] });
    expect(body.summary).toMatchObject({ received: 1, created: 0, not_found: 1 });
    expect(body.results[0]).toMatchObject({ index: 0, outcome: 'not_found', vin: truck.vin, updated: 0 });
    expect((await account.call('GET', `/v1/inventory/${truck.vin}`)).status).toBe(404);
  }
});

test('trucks and changes of status in one batch take effect in order', async () => {
  const truck = cleanTruck();
  const { vin } = truck;
  const { body } = await account.post({
    records: [
      { vin, status: 'sold' },
      truck,
      { vin, status: 'delisted' },
      { ...truck, price: 61_000 },
      { vin, status: 'sold' },
    ],
  });
  const outcomes = body.results.map(({ outcome }: { outcome: string }) => outcome);
  expect(outcomes).toEqual(['not_found', 'created', 'updated', 'merged', 'updated']);
  expect(body.results[4]).toEqual({ index: 4, outcome: 'updated', ...change(vin, 'available', 'sold') });
  expect(body.summary).toEqual({
    received: 5,
    created: 1,
    merged: 1,
    unchanged: 0,
    rejected: 0,
    updated: 2,
    not_found: 1,
  });
  expect((await account.read(vin)).status).toBe('sold');
});

test('a dual-use truck may leave out class and gvwr once its listing has one of them', async () => {
  const truck = cleanTruck({ make: 'Ford', model: 'F-750', class: 'class_7', gvwr: undefined });
  const { class: _, ...rest } = truck;
  expect((await account.post(rest)).body.error.details.stages).toEqual({ validate: 'DUAL_USE_QUARANTINED' });
  expect((await account.post(truck)).status).toBe(201);
  const repriced = await account.post({ vin: truck.vin, year: truck.year, make: 'Ford', price: 64_000 });
  expect([repriced.status, (await account.read(truck.vin)).price]).toEqual([200, 64_000]);
  const cleared = await account.post({ ...rest, class: null });
  expect(cleared.body.error.details.stages).toEqual({ validate: 'DUAL_USE_QUARANTINED' });
});

test('a VIN beside records is refused', async () => {
  const answer = await account.post({ ...cleanTruck(), records: [] });
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
});
