import { expect, test } from 'vitest';
import { rowsOf } from '../support/database.ts';
import * as fc from '../support/fast-check.ts';
import { MODEL_KEY, settleMarket, standingAndRecounted } from '../support/market-recount.ts';
import { CRON_SECRET, goodTruck, startService, type TestAccount } from '../support/service.ts';

const change = fc.record({
  price: fc.option(fc.integer({ min: 20_000, max: 90_000 })),
  model: fc.constantFrom('M2 106', 'm2-106', 'Cascadia'),
  year: fc.constantFrom(2018, 2019),
  class: fc.constantFrom('class_7', 'class_8'),
  state: fc.constantFrom('TX', 'OK'),
});

test('after writers and jobs ran at the same time, the cells are exactly what a recount from the listings gives', async () => {
  const service = await startService();
  const accounts: TestAccount[] = [await service.newAccount(), await service.newAccount()];
  const vins = Array.from({ length: 12 }, () => String(goodTruck().vin));
  // Whatever is drawn, there is something to count.
  await accounts[0]?.call('POST', '/v1/inventory', goodTruck());
  const operation = fc.record({
    who: fc.nat({ max: 1 }),
    changes: fc.array(fc.record({ vin: fc.constantFrom(...vins), change }), { minLength: 1, maxLength: 6 }),
    what: fc.constantFrom('post', 'sold', 'delisted', 'count'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 4, maxLength: 12 }), async (operations) => {
      await Promise.all(
        operations.map(async ({ who, changes, what }) => {
          const account = accounts[who] as TestAccount;
          const [first] = changes;
          if (what === 'count') await service.call('GET', '/api/cron/market', { token: CRON_SECRET });
          else if (what === 'post') {
            const records = changes.map(({ vin, change }) =>
              goodTruck({ ...change, vin, status: 'available' }),
            );
            await account.call('POST', '/v1/inventory', { records });
          } else await account.call('PATCH', '/v1/inventory', { vin: first?.vin, status: what });
        }),
      );
      await settleMarket(service);
      const { standing, recounted } = await standingAndRecounted();
      expect(standing.size).toBeGreaterThan(0);
      expect(standing).toEqual(recounted);
    }),
    { numRuns: 8 },
  );
});

test('planted fault: a cell that lost a listing is found by the recount', async () => {
  const service = await startService();
  const account = await service.newAccount();
  await account.call('POST', '/v1/inventory', goodTruck({ make: `Zr${process.pid}` }));
  await settleMarket(service);
  await rowsOf(`delete from market_cells where make = $1 and level = 3`, [`Zr${process.pid}`]);
  const { standing, recounted } = await standingAndRecounted();
  expect(standing).not.toEqual(recounted);
  await rowsOf(
    `insert into market_dirty (make, model, model_year, truck_class)
     select make, ${MODEL_KEY}, model_year, truck_class from listing_search where make = $1`,
    [`Zr${process.pid}`],
  );
  await settleMarket(service);
  expect((await standingAndRecounted()).standing).toEqual(recounted);
});
