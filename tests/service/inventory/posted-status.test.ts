import { describe, expect, test } from 'vitest';
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

test.each(['pending', '', null, 5, ['sold']])(
  'vin and the status %j alone are INVALID_STATUS',
  async (status) => {
    const { vin } = cleanTruck();
    const { status: http, body } = await account.post({ VIN: vin, status, source_provider_id: 'a' });
    const allowed = ['available', 'sold', 'delisted'];
    expect([http, body.error.code, body.error.details]).toMatchObject([
      400,
      'INVALID_STATUS',
      { field: 'status', allowed },
    ]);
    const batch = await account.post({ records: [{ vin, status }, cleanTruck()] });
    expect(batch.body.results[0]).toMatchObject({
      index: 0,
      outcome: 'rejected',
      vin,
      error: { code: 'INVALID_STATUS' },
    });
    expect(batch.body).toMatchObject({
      summary: { received: 2, created: 1, rejected: 1 },
      rejects_by_code: { INVALID_STATUS: 1 },
    });
  },
);

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

describe('a record of sold that names no provider means the VIN', () => {
  const statuses = async (vin: string) =>
    (await account.read(vin)).sources
      .map(({ source_provider_id: provider, status }: Record<string, string>) => `${provider}: ${status}`)
      .sort();
  const listedTwice = async () => {
    const truck = cleanTruck();
    await account.post(truck);
    await account.post({ ...truck, source_provider_id: 'dms' });
    return truck;
  };
  const everywhere = ['dms: sold', 'null: sold'];

  test.each([{ status: 'sold' }, { status: 'Vendido', price: 5, make: null }])(
    'with %j beside the truck, and nothing else of it is stored',
    async (sale) => {
      const truck = await listedTwice();
      const { vin } = truck;
      const dry = await account.call('POST', '/v1/inventory?dry_run=true', { ...truck, ...sale });
      expect(dry.body).toEqual({ ...change(vin, 'available', 'sold', 2), dry_run: true });
      expect(await statuses(vin)).toEqual(['dms: available', 'null: available']);
      const answer = await account.post({ ...truck, ...sale });
      expect([answer.status, answer.body]).toEqual([200, change(vin, 'available', 'sold', 2)]);
      expect([await statuses(vin), (await account.read(vin)).price]).toEqual([everywhere, truck.price]);
      await account.post({ ...truck, source_provider_id: 'dms', status: 'available' });
      expect((await account.post({ ...truck, ...sale })).body).toEqual(change(vin, 'available', 'sold'));
      expect(await statuses(vin)).toEqual(everywhere);
    },
  );

  test('in a batch, in order with what else names the truck', async () => {
    const [first, second] = [await listedTwice(), await listedTwice()];
    const { body } = await account.post({
      records: [
        { ...first, source_provider_id: 'dms', price: 61_000 },
        { ...first, status: 'sold' },
        { ...second, status: 'sold' },
        { ...second, source_provider_id: 'dms', status: 'available' },
      ],
    });
    expect(body.summary).toMatchObject({ received: 4, merged: 2, updated: 2 });
    expect(await statuses(first.vin)).toEqual(everywhere);
    expect(await statuses(second.vin)).toEqual(['dms: available', 'null: sold']);
  });

  test('and null names the listing without one, in a record and in a status alone', async () => {
    const [first, second] = [await listedTwice(), await listedTwice()];
    const sale = { status: 'sold', source_provider_id: null };
    await account.post({ ...first, ...sale });
    await account.post({ vin: second.vin, ...sale });
    for (const { vin } of [first, second])
      expect(await statuses(vin)).toEqual(['dms: available', 'null: sold']);
  });

  test('and one that names a provider means that listing', async () => {
    const truck = await listedTwice();
    await account.post({ ...truck, source_provider_id: 'dms', status: 'sold' });
    expect(await statuses(truck.vin)).toEqual(['dms: sold', 'null: available']);
  });
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
