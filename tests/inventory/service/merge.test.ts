import { describe, expect, test } from 'vitest';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { queryRows, readTrace } from '../../support/service/database.ts';
import { startService } from '../../support/service/service.ts';

const service = await startService();
const account = await service.newAccount();

const RICH = {
  color: 'White',
  engine: 'Detroit DD15',
  features: ['APU', 'Inverter'],
  images: ['https://img.example/1.jpg'],
  location: { city: 'Waco', state: 'TX', zip: '76701' },
  warranty: { months: 12 },
  lot: 'B7',
};

test.each([
  [
    'present fields win, absent fields stay, blank text counts as absent',
    { price: 59_900, color: 'Red', lot: 'C1', engine: '  ' },
    {
      price: 59_900,
      color: 'Red',
      engine: 'Detroit DD15',
      features: RICH.features,
      images: [{ url: RICH.images[0] }],
      location: { city: 'Waco' },
      attributes: { lot: 'C1', warranty: { months: 12 } },
    },
  ],
  [
    'an explicit null clears fields, lists, images, places and attributes; what the VIN says stays',
    { ...Object.fromEntries(Object.keys(RICH).map((name) => [name, null])), price: null },
    {
      ...{ color: null, features: null, images: [], location: null, attributes: {}, price: null },
      engine: 'Detroit Diesel DD15',
      derived: expect.arrayContaining(['engine']),
    },
  ],
])('merging with what is stored: %s', async (_, change, expected) => {
  const truck = cleanTruck(RICH);
  await account.post(truck);
  const { vin, year, make } = truck;
  const { first_seen_at, dedup_hash, updated_at } = await account.read(vin);
  await account.post({ vin, year, make, class: 'class_8', ...change });
  const after = await account.read(vin);
  expect(after).toMatchObject({ ...expected, first_seen_at, dedup_hash });
  expect(Date.parse(after.updated_at)).toBeGreaterThanOrEqual(Date.parse(updated_at));
});

test('a dual-use truck may leave out class and gvwr once its listing has one of them', async () => {
  const { class: _, ...rest } = cleanTruck({ make: 'Ford', model: 'F-750', gvwr: undefined });
  for (const [change, status, reason] of [
    [{}, 422, 'dual_use_quarantined'],
    [{ class: 'class_7' }, 201],
    [{ price: 64_000 }, 200],
    [{ class: null }, 422, 'dual_use_quarantined'],
  ] as const) {
    const { body, ...answer } = await account.post({ ...rest, ...change });
    expect([answer.status, body.error?.details.reason]).toEqual([status, reason]);
  }
  expect((await account.read(`${rest.vin}`)).price).toBe(64_000);
});

test('the same record, a reworded one or a dry run writes no row', async () => {
  const truck = cleanTruck(RICH);
  await account.post(truck);
  const before = await readTrace(account.id, truck.vin);
  expect(before).toMatchObject([{ version: 1, events: 1 }]);
  const bodies = [{}, { make: ' freightliner ' }, { price: '$68,900' }, { status: 'available' }];
  const records = bodies.map((change) => ({ ...truck, ...change }));
  expect((await account.post({ records })).body.summary.unchanged).toBe(4);
  await account.post({ ...truck, price: 50_000 }, '?dry_run=true');
  expect(await readTrace(account.id, truck.vin)).toEqual(before);
  await account.post({ ...truck, price: 50_000 });
  expect(await readTrace(account.id, truck.vin)).toMatchObject([{ version: 2, events: 2 }]);
});

describe('the status of a posted truck', () => {
  const back = { outcome: 'merged', status: 'available', warnings: [] };

  test('sold is never revived by a re-post, changed or not, unless it says available', async () => {
    const truck = cleanTruck();
    await account.post(truck);
    await account.patch({ vin: truck.vin, status: 'sold' });
    const { sold_at } = await account.read(truck.vin);
    const stillSold = { status: 'sold', warnings: [{ code: 'STILL_SOLD' }] };
    expect((await account.post(truck)).body).toMatchObject(stillSold);
    const repriced = { ...truck, price: 60_000 };
    expect((await account.post(repriced)).body).toMatchObject({ outcome: 'merged', ...stillSold });
    const { body } = await account.post({ records: [{ ...repriced, status: 'nonsense' }] });
    expect(body.results[0].status).toBe('sold');
    expect((await account.read(truck.vin)).sold_at).toBe(sold_at);
    expect((await account.post({ ...repriced, status: 'available' })).body).toMatchObject(back);
    expect(await account.read(truck.vin)).toMatchObject({ status: 'available', sold_at: null });
  });

  test('delisted comes back when it is posted again, changed or not', async () => {
    const truck = cleanTruck();
    await account.post(truck);
    for (const record of [truck, { ...truck, price: 61_000 }]) {
      await account.patch({ vin: truck.vin, status: 'delisted' });
      expect((await account.read(truck.vin)).delisted_at).not.toBeNull();
      expect((await account.post(record)).body).toMatchObject(back);
      expect(await account.read(truck.vin)).toMatchObject({ status: 'available', delisted_at: null });
    }
  });
});

test('every write leaves its event, with both prices', async () => {
  const truck = cleanTruck({ price: 70_000 });
  for (const change of [{}, { price: 65_000 }, { price: 65_000, color: 'Blue' }])
    await account.post({ ...truck, ...change });
  await account.patch({ vin: truck.vin, status: 'sold' });
  await account.post({ ...truck, price: null, status: 'available' });
  const events = await queryRows<Record<string, unknown>>(
    `select e.version, kind, old_price, new_price from listing_events e
     join listings l on l.account_id = e.account_id and l.dedup_hash = e.dedup_hash
     where e.account_id = $1 and l.vin = $2 order by e.version`,
    [account.id, truck.vin],
  );
  expect(events.map((event) => Object.values(event))).toEqual([
    [1, 'created', null, 70_000],
    [2, 'changed', 70_000, 65_000],
    [3, 'changed', 65_000, 65_000],
    [4, 'sold', 65_000, 65_000],
    [5, 'relisted', 65_000, null],
  ]);
  const prices = [70_000, 65_000, null].map((price) => ({ price }));
  expect((await account.read(truck.vin)).price_history).toMatchObject(prices);
});

test('a post wins over an observation that a wrong clock dated in the future', async () => {
  const truck = cleanTruck({ price: 70_000 });
  await account.post(truck);
  await queryRows(
    `update listings set observed_at = now() + interval '1 day' where account_id = $1 and vin = $2`,
    [account.id, truck.vin],
  );
  const { body } = await account.post({ ...truck, price: 65_000 });
  expect(body).toMatchObject({ outcome: 'merged', warnings: [] });
  const { price, observed_at } = await account.read(truck.vin);
  expect([price, Date.parse(observed_at) < Date.now() + 60_000]).toEqual([65_000, true]);
});
