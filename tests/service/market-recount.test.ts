import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellOf, type Observation } from '../../lib/domain/market-cell.ts';
import { rowsOf } from '../support/database.ts';
import {
  CRON_SECRET,
  goodTruck,
  startService,
  type TestAccount,
  type TestService,
} from '../support/service.ts';

const KEY = `upper(translate(coalesce(model, ''), ' -._/', ''))`;

/** Runs the job until nothing is dirty; another run of this database may hold the lease. */
async function settle(service: TestService): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { body } = await service.call('GET', '/api/cron/market', { token: CRON_SECRET });
    const [left] = await rowsOf<{ n: number }>('select count(*)::int as n from market_dirty');
    if (body.outcome === 'done' && left?.n === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the market stays dirty');
}

/** Every cell that stands, and every cell that a recount from the listings makes, by key. */
async function standingAndRecounted() {
  const cells = await rowsOf<{ key: string; tallies: unknown; marks: unknown }>(
    `select json_build_array(level, make, model, model_year, truck_class)::text as key, tallies, marks from market_cells`,
  );
  const listings = await rowsOf<Observation & { make: string; model: string }>(
    `select make, ${KEY} as model, account_id as seller, model_year as year, coalesce(truck_class, '') as "truckClass",
      coalesce(body_type, '') as body, coalesce(state, '') as state, coalesce(condition, '') as condition,
      coalesce(fuel_type, '') as fuel, price, mileage from listing_search where status = 'available'`,
  );
  const groups = new Map<string, Observation[]>();
  for (const listing of listings) {
    const { make, model, year, truckClass } = listing;
    const keys = [
      [0, '', '', year, ''],
      [1, '', '', year, truckClass],
      [2, make, '', year, truckClass],
      [3, make, model, year, truckClass],
    ];
    for (const key of keys.map((parts) => JSON.stringify(parts))) {
      const group = groups.get(key);
      if (group) group.push(listing);
      else groups.set(key, [listing]);
    }
  }
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
  return {
    standing: new Map(
      cells.map(({ key, tallies, marks }) => [JSON.stringify(JSON.parse(key)), { tallies, marks }]),
    ),
    recounted: new Map([...groups].map(([key, some]) => [key, plain(cellOf(some))])),
  };
}

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
      await settle(service);
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
  await settle(service);
  await rowsOf(`delete from market_cells where make = $1 and level = 3`, [`Zr${process.pid}`]);
  const { standing, recounted } = await standingAndRecounted();
  expect(standing).not.toEqual(recounted);
  await rowsOf(
    `insert into market_dirty (make, model, model_year, truck_class)
     select make, ${KEY}, model_year, truck_class from listing_search where make = $1`,
    [`Zr${process.pid}`],
  );
  await settle(service);
  expect((await standingAndRecounted()).standing).toEqual(recounted);
});
