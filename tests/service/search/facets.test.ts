import { setImmediate as breath } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { postgresFacets } from '../../../lib/adapters/postgres/search/facets.ts';
import { PRICE_BANDS } from '../../../lib/contract/price-bands.ts';
import { facetFaults } from '../../support/oracles/facet-recount.ts';
import { naiveFacets, storedListings } from '../../support/oracles/naive-search.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { queryRows } from '../../support/service/database.ts';
import { CRON_SECRET, startService, type TestAccount } from '../../support/service/service.ts';
import { useStore } from '../../support/service/store.ts';

/** The facets are never counted up in place; whatever happens, they are what a recount gives. */

const pending = async ({ id }: TestAccount) =>
  (
    await queryRows<{ n: number }>('select count(*)::int as n from facet_deltas where account_id = $1', [id])
  )[0]?.n;

/** What the search tells, as `naiveFacets` does. */
async function toldFacets(account: TestAccount): Promise<Map<string, number>> {
  const { body } = await account.call(
    'GET',
    `/v1/inventory?status=available,sold,delisted&make=Ford,Hino,Mack`,
  );
  const told = new Map<string, number>();
  for (const [facet, values] of Object.entries<Record<string, number | string | null>[]>(body.facets))
    for (const { value, from, count } of values) {
      const band = PRICE_BANDS.filter((bound) => bound <= Number(from ?? 0)).length;
      told.set(`${facet} ${facet === 'price' ? band : value}`, Number(count));
    }
  return told;
}

const truth = async ({ id }: TestAccount) =>
  new Map(
    naiveFacets(await storedListings(id), PRICE_BANDS).map(([facet, value, n]) => [`${facet} ${value}`, n]),
  );

const MAKES = ['Ford', 'Hino', 'Mack'];
const BODIES = ['dump', 'box', null];
let dice = 7;
const pick = <Value>(values: readonly Value[]): Value => {
  dice = (Math.imul(dice, 1_664_525) + 1_013_904_223) >>> 0;
  return values[dice % values.length] as Value;
};
const mutated = (truck: Record<string, unknown>) => ({
  ...truck,
  make: pick(MAKES),
  model: pick(['X', 'Y', null]),
  body_type: pick(BODIES),
  price: pick([null, 15_000, 42_000, 99_000]),
  year: pick([2015, 2016]),
  condition: pick(['new', 'used', null]),
  ...(pick([0, 1, 2]) === 0 ? { status: pick(['available', 'sold', 'delisted']) } : {}),
});

test('a price within its band, and a record that says nothing new, leave no change behind', async () => {
  const account = await (await startService()).newAccount();
  const truck = cleanTruck({ price: 61_000 });
  await account.post(truck);
  expect(await pending(account)).toBe(1);
  await account.post({ ...truck, price: 62_000 });
  await account.post({ ...truck, price: 62_000 });
  expect(await pending(account)).toBe(1);
  await account.post({ ...truck, price: 80_000 });
  expect(await pending(account)).toBe(3);
  expect(await facetFaults(account.id)).toEqual([]);
});

test('while writers, status changes, folding jobs and folding jobs that die run side by side, the counts are those of a recount', async () => {
  const { sql } = await useStore();
  const service = await startService(() => ({ facets: postgresFacets(sql, 10) }));
  const account = await service.newAccount();
  const trucks: Record<string, unknown>[] = Array.from({ length: 40 }, () =>
    mutated(cleanTruck({ gvwr: undefined, class: 8 })),
  );
  let writing = true;

  const write = async () => {
    for (let round = 0; round < 5; round += 1) {
      await breath();
      const records = trucks.filter(() => pick([0, 1]) === 0).map(mutated);
      const posted = await account.post({ records });
      expect(posted.body.summary.rejected, posted.text).toBe(0);
    }
  };
  const sell = async () => {
    for (let round = 0; round < 15; round += 1) {
      await breath();
      const { vin } = pick(trucks);
      const answer = await account.patch({ vin, status: pick(['sold', 'delisted']) });
      expect([200, 404], answer.text).toContain(answer.status);
    }
  };
  const fold = async () => {
    while (writing) {
      await breath();
      await postgresFacets(sql, 10).of(account.id).fold();
      await postgresFacets(sql, 10).of(account.id).sweep();
    }
  };
  const die = async () => {
    const dying = () =>
      sql.transaction(async (bound) => {
        await postgresFacets(bound, 10).of(account.id).fold();
        throw new Error('killed');
      });
    while (writing) {
      await breath();
      await dying().catch((error: Error) => expect(error.message).toBe('killed'));
    }
  };
  const look = async () => {
    while (writing) {
      await breath();
      expect(await facetFaults(account.id)).toEqual([]);
    }
  };
  const background = [fold(), fold(), die(), look()];
  await Promise.all([write(), write(), write(), sell()]).finally(() => {
    writing = false;
  });
  await Promise.all(background);

  expect(await facetFaults(account.id)).toEqual([]);
  expect(await toldFacets(account)).toEqual(await truth(account));
  const cron = await service.call('GET', '/api/cron/facets', { token: CRON_SECRET });
  expect(cron.body).toMatchObject({ job: 'facets', outcome: 'done' });
  expect(await pending(account)).toBe(0);
  expect(await facetFaults(account.id)).toEqual([]);
  expect(await toldFacets(account)).toEqual(await truth(account));
});

test('a facet that is new is counted once housekeeping has rewritten what was stored before', async () => {
  const { sql } = await useStore();
  const service = await startService(() => ({ facets: postgresFacets(sql, 1) }));
  const account = await service.newAccount();
  const records = [1, 2, 3].map(() => cleanTruck({ fuel_type: 'Diesel' }));
  await account.post({ records });
  const older = (change: string) => queryRows(`update ${change} where account_id = $1`, [account.id]);
  await older(`listings set record_version = 'older',
    doc = ((doc::jsonb - 'fuel_type') || '{"attributes":{"fuel_type":"Diesel"}}'::jsonb)::json`);
  await older('listing_search set fuel_type = null');
  await older(`facet_deltas set fuel_type = ''`);
  await postgresFacets(sql, 1).of(account.id).fold();
  const { text } = await service.call('GET', '/api/cron/housekeeping', { token: CRON_SECRET });
  expect(text).toContain('"listings_rewritten":3');
  expect(await facetFaults(account.id)).toEqual([]);
  await account.patch({ vin: records[0]?.vin, status: 'sold' });
  const { body } = await account.call('GET', '/v1/inventory');
  expect(body.facets.fuel_type).toEqual([{ value: 'Diesel', count: 2 }]);
});

test('a search that has much to add up gets it folded after the answer', async () => {
  const service = await startService((ports) => ({
    search: {
      of: (id) => ({
        ...ports.search.of(id),
        find: async (request) => ({ ...(await ports.search.of(id).find(request)), pending: 5_000 }),
      }),
    },
    background: { run: (work) => void started.push(work) },
  }));
  const started: Promise<unknown>[] = [];
  const account = await service.newAccount();
  await account.post(cleanTruck());
  expect(await pending(account)).toBe(1);
  const before = started.length;
  await account.call('GET', '/v1/inventory');
  expect(started).toHaveLength(before + 1);
  await Promise.all(started);
  expect(await pending(account)).toBe(0);
});

test('two folding jobs at once: one works, the other says that it is busy', async () => {
  const service = await startService();
  const lease = await service.ports.leases.acquire('facets', 60);
  const busy = await service.call('GET', '/api/cron/facets', { token: CRON_SECRET });
  expect(busy.body).toMatchObject({ job: 'facets', outcome: 'busy' });
  await service.ports.leases.release('facets', lease?.fence ?? 0, {});
  const done = await service.call('GET', '/api/cron/facets', { token: CRON_SECRET });
  expect(done.body).toMatchObject({ job: 'facets', outcome: 'done' });
});
