import { expect, test } from 'vitest';
import { toList } from '../../../lib/truck/text/table.ts';
import { marketFaults } from '../../support/oracles/market-recount.ts';
import { queryRows } from '../../support/service/database.ts';
import { expectRefused } from '../../support/service/endpoint-calls.ts';
import { goodTruck, type TestAccount } from '../../support/service/service.ts';
import { own as c, others, service, uniqueMake } from './sellers.ts';

const [a, b, d] = others;
const starter = await service.newAccount({ tier: 'starter' });

async function sell(account: TestAccount, make: string, prices: readonly (number | null)[], change = {}) {
  const records = prices.map((price) => goodTruck({ make, price, ...change }));
  await account.post({ records });
  return records;
}

const prices = async (account: TestAccount, query: string) =>
  (await account.call('GET', `/v1/market-data/prices?${query}`)).body;

const FIGURES = toList('p10, p25, p50, p75, p90, mean, min, max');
const NOTHING = Object.fromEntries(FIGURES.map((name) => [name, null]));
const range = (n: number, from = 50_000, step = 1_000) =>
  Array.from({ length: n }, (_, at) => from + at * step);

test.each([
  ['model=Cascadia', 'model'],
  ['condition=odd', 'condition'],
  ['year=2019&year_max=2020', 'year'],
])('%s is 400 INVALID_PARAMS naming %s', async (query, field) => {
  const { body } = await a.call('GET', `/v1/market-data/prices?${query}`);
  expect(body).toMatchObject({ error: { code: 'INVALID_PARAMS', details: { field } } });
});

test('a starter key gets 403 TIER_RESTRICTED, an enterprise key gets the answer', async () => {
  const enterprise = await service.newAccount({ tier: 'enterprise' });
  for (const path of ['/v1/market-data/prices?make=Ford', '/v1/market-data/trends?make=Ford']) {
    expectRefused(await starter.call('GET', path), 403, 'TIER_RESTRICTED');
    expect((await enterprise.call('GET', path)).status).toBe(200);
  }
});

test('four trucks of three sellers: how many, and nothing else', async () => {
  const make = uniqueMake();
  await sell(a, make, range(2));
  await sell(b, make, range(1));
  await sell(d, make, range(1));
  const { market, own } = await prices(c, `make=${make}`);
  const withheld = 'too_few_listings';
  const by_year = [{ year: 2019, count: 4, price_p50: null }];
  expect(market).toMatchObject({ count: 4, sellers: 3, withheld, by_year });
  expect(market.price).toEqual({ count: 4, withheld, ...NOTHING });
  expect(own).toMatchObject({ count: 0, price: { count: 0, ...NOTHING }, by_year: [] });
});

test('one’s own trucks count, whatever their prices; suspicious and Canadian ones are no dollars', async () => {
  const make = uniqueMake();
  const seller = await service.newAccount();
  const records = [{ price: 60_000 }, { price: 689_000 }, { price: 80_000, currency: 'CAD' }];
  await seller.post({ records: records.map((change) => goodTruck({ ...change, make })) });
  const { own } = await prices(seller, `make=${make}`);
  expect(own).toMatchObject({ count: 3, price: { min: 60_000, max: 60_000 }, mileage: { min: 412_350 } });
});

test('prices of others in steps of $500, one’s own exactly; neither is in the other', async () => {
  const make = uniqueMake();
  await sell(a, make, [50_120, 60_120]);
  await sell(b, make, [70_120, 80_120]);
  await sell(d, make, [90_120]);
  await sell(c, make, [31_111, 42_222]);
  const { market, own } = await prices(c, `make=${make}`);
  expect(market).toMatchObject({ count: 5, sellers: 3, withheld: null });
  expect(market.price).toEqual({
    count: 5,
    p10: 54_000,
    p25: 60_000,
    p50: 70_000,
    p75: 80_000,
    p90: 86_000,
    mean: 70_000,
    min: 50_000,
    max: 90_000,
    withheld: null,
  });
  expect(own).toMatchObject({
    count: 2,
    price: { count: 2, min: 31_111, max: 42_222, mean: 36_667, p50: 36_667 },
    by_year: [{ year: 2019, count: 2, price_p50: 36_667, mileage_p50: 412_350 }],
  });
  const expectedMarket = { count: 5, sellers: 3, price: { max: 90_000 } };
  expect((await prices(a, `make=${make}`)).market).toMatchObject(expectedMarket);
});

test('a call-for-price truck counts as a truck, not as a price; sold ones count as nothing', async () => {
  const make = uniqueMake();
  await sell(a, make, [...range(3), null]);
  const [soldTruck] = await sell(b, make, range(3));
  await sell(d, make, range(1));
  await b.patch({ vin: soldTruck?.vin, status: 'sold' });
  const { market } = await prices(c, `make=${make}`);
  expect([market.count, market.price.count, market.mileage.count]).toEqual([7, 6, 7]);
});

test('filters: make alias and case, model spelling, class, years, state, body, mileage', async () => {
  const make = uniqueMake();
  const kind = { model: 'M2-106 Plus', body_type: 'box_truck', state: 'TX', class: 'class_7', gvwr: 33_000 };
  await sell(a, make, range(5), { ...kind, mileage: 90_000, year: 2018 });
  await sell(b, make, range(5), { ...kind, mileage: 210_000, year: 2020 });
  const read = (query: string) => prices(c, `make=${make}&${query}`);
  for (const [query, count] of Object.entries({
    'model=m2%20106%20plus&class=7&state=texas&body_type=Box+Truck': 10,
    'year_min=2019': 5,
    'year=2018': 5,
    'mileage_max=100000': 5,
    'mileage_min=100000&mileage_max=210000': 5,
    'class=8': 0,
    'state=OK': 0,
    'fuel_type=electric': 0,
  }))
    expect((await read(query)).market.count, query).toBe(count);
  const { filters } = await read('mileage_min=1&mileage_max=200001');
  expect(filters).toEqual({ make, mileage_min: 0, mileage_max: 210_000 });
});
test('more trucks than are looked at one by one: a sample of them answers', async () => {
  const make = uniqueMake();
  for (let n = 0; n < 8; n += 1) await sell([a, b, d][n % 3] ?? a, make, range(450, 30_000 + n * 20, 100));
  const { market, own, approximate } = await prices(c, `make=${make}`);
  expect([approximate, own.count]).toEqual([true, 0]);
  expect(market).toMatchObject({ sellers: 3, withheld: null });
  // At five standard errors: half of 3,600 trucks are counted, and 1,100 of them make the figures.
  expect(Math.abs(market.count - 3_600)).toBeLessThan(300);
  expect(Math.abs(market.price.p50 - 52_500)).toBeLessThan(3_000);
  const none = await prices(c, `make=${make}&mileage_max=400000`);
  expect(none.market).toMatchObject({ count: 0, withheld: 'too_few_listings' });
  const exact = await prices(a, `make=${make}`);
  expect(exact.own).toMatchObject({ count: 1_350, price: { min: 30_000 } });
});

test('a listing’s own GET shows its place among others’ trucks to Pro, and nothing of it to Starter', async () => {
  const make = uniqueMake();
  await sell(a, make, range(4, 40_010, 5_000));
  await sell(b, make, range(4, 42_010, 5_000));
  await sell(d, make, range(2, 70_000));
  const [truck] = await sell(c, make, [56_000]);
  expect((await c.read(truck?.vin)).market_position).toEqual({
    count: 10,
    sellers: 3,
    median_price: 51_000,
    percentile: 70,
    withheld: null,
  });
  const [starterTruck] = await sell(starter, make, [56_000]);
  expect(await starter.read(starterTruck?.vin)).not.toHaveProperty('market_position');
});

/** All on level 13 or above by the hash of a VIN that the market's samples were once chosen by. */
const GROUND_VINS = toList(`
  3AKJHHDR5LAAAAUMJ, 3AKJHHDR5LAAAA25U, 3AKJHHDR5LAAABBD1, 3AKJHHDR5LAAABBJT, 3AKJHHDR5LAAABGTR,
  3AKJHHDR5LAAABKSX, 3AKJHHDR5LAAABP73, 3AKJHHDR5LAAABUGZ, 3AKJHHDR5LAAAB2KA, 3AKJHHDR5LAAAB2RK
`);

test('nobody can choose VINs that stand for a market: what they do is the database’s secret', async () => {
  const make = uniqueMake();
  const records = GROUND_VINS.map((vin) => goodTruck({ vin, make }));
  await a.post({ records });
  const rows = await queryRows<{ market_level: number }>(
    'select market_level from listing_search where account_id = $1 and make = $2',
    [a.id, make],
  );
  expect(rows).toHaveLength(GROUND_VINS.length);
  expect(rows.filter(({ market_level: level }) => level >= 13).length).toBeLessThan(2);
  expect(await marketFaults(service.ports.db)).toEqual([]);
});
