import { expect, test } from 'vitest';
import { searchFaults } from '../../support/oracles/search-recount.ts';
import { cleanTrucks } from '../../support/samples/trucks.ts';
import { queryRows } from '../../support/service/database.ts';
import { startService } from '../../support/service/service.ts';

type Result = Record<'outcome' | 'vin', string>;

test('24 parallel overlapping batches lose no field, never deadlock, and create each VIN once', async () => {
  const service = await startService();
  const account = await service.newAccount();
  const trucks = cleanTrucks(60);
  // Each batch brings a field of its own for every truck it overlaps, in an order of its own.
  const batches = Array.from({ length: 24 }, (_, batch) =>
    trucks
      .filter((_, index) => (index + batch) % 3 !== 0)
      .map((truck) => ({ ...truck, [`field_${batch}`]: batch }))
      .sort(() => (batch % 2 === 0 ? 1 : -1)),
  );
  const answers = await Promise.all(batches.map((records) => account.post({ records })));
  for (const { status, body, text } of answers)
    expect([status, body?.summary.rejected], text).toEqual([200, 0]);
  const results: Result[] = answers.flatMap(({ body }) => body.results);
  const created = results.filter(({ outcome }) => outcome === 'created').map(({ vin }) => vin);
  expect(created.sort()).toEqual(trucks.map(({ vin }) => vin).sort());

  for (const [index, truck] of trucks.entries()) {
    const { attributes } = await account.read(truck.vin);
    const expected = batches.flatMap((_, batch) => ((index + batch) % 3 === 0 ? [] : [`field_${batch}`]));
    expect(Object.keys(attributes).sort()).toEqual(expected.sort());
  }
  const [counts] = await queryRows<Record<string, number>>(
    `select (select count(*)::int from listings where account_id = $1 and version = 0) as places,
      (select sum(version)::int from listings where account_id = $1) as versions,
      (select count(*)::int from listing_events where account_id = $1) as events`,
    [account.id],
  );
  expect(counts).toEqual({ places: 0, versions: counts?.events, events: counts?.events });
  expect(await searchFaults(account.id)).toEqual([]);
});

test('parallel batches under Idempotency-Keys and status changes between them neither deadlock nor tear', async () => {
  const service = await startService();
  const account = await service.newAccount();
  const trucks = cleanTrucks(20);
  const calls = Array.from({ length: 16 }, (_, n) => {
    const records = [...trucks].sort(() => (n % 2 ? 1 : -1)).map((truck) => ({ ...truck, turn: n }));
    if (n % 3 === 2) return account.patch({ records: records.map(({ vin }) => ({ vin, status: 'sold' })) });
    const headers: Record<string, string> = n % 2 === 0 ? { 'Idempotency-Key': `turn-${n}` } : {};
    return account.call('POST', '/v1/inventory', { records }, headers);
  });
  for (const answer of await Promise.all(calls)) {
    expect([answer.status, answer.body?.summary.rejected], answer.text).toEqual([200, 0]);
  }
  expect(await searchFaults(account.id)).toEqual([]);
});
