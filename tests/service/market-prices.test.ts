import { beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../support/database.ts';
import {
  CRON_SECRET,
  goodTruck,
  startService,
  type TestAccount,
  type TestService,
} from '../support/service.ts';

let service: TestService;
let [a, b, c]: TestAccount[] = [];
let starter: TestAccount;
let serial = 0;
beforeAll(async () => {
  service = await startService();
  [a, b, c] = [await service.newAccount(), await service.newAccount(), await service.newAccount()];
  starter = await service.newAccount({ tier: 'starter' });
});

/** A make nobody else in this database has. */
const freshMake = () => `Zq${process.pid}x${++serial}`;
const who = (account: TestAccount | undefined): TestAccount => {
  if (!account) throw new Error('no account');
  return account;
};

async function sell(
  account: TestAccount | undefined,
  make: string,
  prices: readonly (number | null)[],
  change = {},
) {
  const records = prices.map((price) => goodTruck({ make, price, ...change }));
  const { body } = await who(account).call('POST', '/v1/inventory', { records });
  expect(body.summary.created, JSON.stringify(body.rejects_by_code)).toBe(prices.length);
  return records;
}

async function prices(account: TestAccount | undefined, query: string) {
  const answer = await who(account).call('GET', `/v1/market-data/prices?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const NOTHING = { p10: null, p25: null, p50: null, p75: null, p90: null, mean: null, min: null, max: null };
const range = (n: number, from = 50_000, step = 1_000) =>
  Array.from({ length: n }, (_, at) => from + at * step);

describe('who may ask', () => {
  test('a starter key gets 403 TIER_RESTRICTED, an enterprise key gets the answer', async () => {
    const refused = await starter.call('GET', '/v1/market-data/prices?make=Ford');
    expect([refused.status, refused.body.error.code]).toEqual([403, 'TIER_RESTRICTED']);
    const enterprise = await service.newAccount({ tier: 'enterprise' });
    expect((await enterprise.call('GET', '/v1/market-data/prices?make=Ford')).status).toBe(200);
  });

  test('a change of tier holds on the next request', async () => {
    const account = await service.newAccount({ tier: 'starter' });
    await service.admin('PATCH', `/api/admin/accounts/${account.id}`, { tier: 'pro' });
    expect((await account.call('GET', '/v1/market-data/prices')).status).toBe(200);
  });
});

test.each([
  ['year_min=abc', 'year_min'],
  ['year_min=2020&year_max=2018', 'year_min'],
  ['mileage_min=-1', 'mileage_min'],
  ['class=2', 'class'],
  ['state=Atlantis', 'state'],
  ['model=Cascadia', 'model'],
  ['make=', 'make'],
  ['price_min=1', 'price_min'],
  ['condition=odd', 'condition'],
  ['year=2019&year_max=2020', 'year'],
])('%s is 400 INVALID_PARAMS naming %s', async (query, field) => {
  const { status, body } = await who(a).call('GET', `/v1/market-data/prices?${query}`);
  expect([status, body.error.code, body.error.details.field]).toEqual([400, 'INVALID_PARAMS', field]);
});

describe('what is told', () => {
  test('four listings of two sellers: the sample size and nothing else', async () => {
    const make = freshMake();
    await sell(a, make, range(2));
    await sell(b, make, range(2));
    const body = await prices(c, `make=${make}`);
    expect(body).toMatchObject({
      scope: 'market',
      count: 4,
      withheld: 'too_few_listings',
      approximate: false,
    });
    expect(body.price).toEqual({ count: 4, ...NOTHING });
    expect(body.by_year).toMatchObject([{ year: 2019, count: 4, price_p50: null }]);
  });

  test('five listings of one other seller: nothing', async () => {
    const make = freshMake();
    await sell(a, make, range(5));
    const body = await prices(b, `make=${make}`);
    expect(body).toMatchObject({
      scope: 'market',
      count: 5,
      withheld: 'too_few_sellers',
      price: { count: 5, ...NOTHING },
    });
  });

  test('five listings of two sellers: quantiles in steps of $500, no minimum and maximum', async () => {
    const make = freshMake();
    await sell(a, make, [50_120, 60_120, 70_120]);
    await sell(b, make, [80_120, 90_120]);
    for (const caller of [a, b, c]) {
      const { price, withheld, scope } = await prices(caller, `make=${make}`);
      expect([withheld, scope]).toEqual([null, 'market']);
      expect(price).toMatchObject({
        count: 5,
        p25: 60_000,
        p50: 70_000,
        p75: 80_000,
        mean: 70_000,
        min: null,
        max: null,
      });
    }
  });

  test('four of one’s own and one of another: taking one’s own out would leave a single truck, so nothing', async () => {
    const make = freshMake();
    await sell(a, make, range(4));
    await sell(b, make, [77_777]);
    expect((await prices(a, `make=${make}`)).price).toEqual({ count: 5, ...NOTHING });
    expect((await prices(c, `make=${make}`)).price.p50).not.toBeNull();
  });

  test('only one’s own listings: everything, exactly, and it says so', async () => {
    const make = freshMake();
    await sell(a, make, [50_111, 60_222]);
    const body = await prices(a, `make=${make}`);
    expect(body).toMatchObject({ scope: 'own', count: 2, withheld: null });
    expect(body.price).toMatchObject({ count: 2, min: 50_111, max: 60_222, p50: 55_167, mean: 55_167 });
  });

  test('twenty listings of three sellers: the ends too, in steps of $100', async () => {
    const make = freshMake();
    await sell(a, make, range(8, 40_010));
    await sell(b, make, range(8, 48_010));
    await sell(c, make, range(8, 56_010));
    const { price } = await prices(c, `make=${make}`);
    expect(price).toMatchObject({ count: 24, min: 40_000, max: 63_000, mean: 51_500, p50: 51_500 });
  });

  test('a call-for-price truck counts as a listing, not as a price; sold ones count as nothing', async () => {
    const make = freshMake();
    await sell(a, make, [...range(3), null]);
    const [sold] = await sell(b, make, range(3));
    await who(b).call('PATCH', '/v1/inventory', { vin: sold?.vin, status: 'sold' });
    const body = await prices(c, `make=${make}`);
    expect([body.count, body.price.count, body.mileage.count]).toEqual([6, 5, 6]);
  });

  test('filters: make alias and case, model spelling, class, years, state, body, mileage', async () => {
    const make = freshMake();
    const change = {
      model: 'M2-106 Plus',
      body_type: 'box_truck',
      state: 'TX',
      class: 'class_7',
      gvwr: 33_000,
      year: 2018,
    };
    await sell(a, make, range(5), { ...change, mileage: 90_000 });
    await sell(b, make, range(5), { ...change, mileage: 210_000, year: 2020 });
    const count = async (query: string) => (await prices(c, `make=${make}&${query}`)).count;
    expect(await count('model=m2%20106%20plus&class=7&state=texas&body_type=Box+Truck')).toBe(10);
    expect(await count('year_min=2019')).toBe(5);
    expect(await count('year=2018')).toBe(5);
    expect(await count('mileage_max=100000')).toBe(5);
    expect(await count('mileage_min=100000&mileage_max=210000')).toBe(5);
    expect(await count('class=8')).toBe(0);
    expect(await count('state=OK')).toBe(0);
    expect(await count('fuel_type=electric')).toBe(0);
    const body = await prices(c, `make=${make}&mileage_min=1&mileage_max=200001`);
    expect(body.filters).toEqual({ make, mileage_min: 0, mileage_max: 210_000 });
  });
});

describe('cells', () => {
  const cron = () => service.call('GET', '/api/cron/market', { token: CRON_SECRET });

  test('a batch of 100 is counted without any cron', async () => {
    const make = freshMake();
    await sell(a, make, range(100));
    const cells = () =>
      rowsOf<{ n: number }>(
        `select (tallies ->> 'n')::int as n from market_cells where make = $1 order by level`,
        [make],
      );
    for (let waited = 0; waited < 50 && (await cells()).length < 2; waited += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await cells()).toEqual([{ n: 100 }, { n: 100 }]);
  });

  test('more listings than are looked at one by one: counts, mean and ends exact, quantiles within a bucket', async () => {
    const make = freshMake();
    const some = range(450, 30_000, 100);
    for (let n = 0; n < 5; n += 1)
      await sell(
        [a, b, c][n % 3],
        make,
        some.map((price) => price + n * 20),
      );
    expect((await cron()).body.outcome).toMatch(/done|busy/);
    for (let waited = 0; waited < 50 && (await prices(a, `make=${make}`)).count < 2_250; waited += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    const body = await prices(a, `make=${make}`);
    expect(body).toMatchObject({ approximate: true, count: 2_250, scope: 'market', withheld: null });
    expect(body.price).toMatchObject({ count: 2_250, min: 30_000, max: 75_000, mean: 52_500 });
    expect(Math.abs(body.price.p50 - 52_490) / 52_490).toBeLessThan(0.008);
    expect(Math.abs(body.price.p10 - 34_500) / 34_500).toBeLessThan(0.008);
    const texan = await prices(a, `make=${make}&mileage_max=400000`);
    expect(texan).toMatchObject({ approximate: true, count: 0 });
    const all = await prices(a, `make=${make}&mileage_max=420000&body_type=sleeper_tractor`);
    expect(all).toMatchObject({ approximate: true, count: 2_250, price: { min: null, mean: 52_500 } });
  });
});

describe('a listing’s own GET', () => {
  test('shows its place in the market to Pro, and nothing of it to Starter', async () => {
    const make = freshMake();
    await sell(a, make, range(6, 40_000, 5_000));
    await sell(b, make, range(6, 42_000, 5_000));
    const [mine] = await sell(c, make, [60_000]);
    for (let tries = 0; tries < 30; tries += 1) {
      const { body } = await service.call('GET', '/api/cron/market', { token: CRON_SECRET });
      if (body.outcome === 'done') break;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const { body } = await who(c).call('GET', `/v1/inventory/${mine?.vin}`);
    expect(body.market_position).toMatchObject({ count: 13, percentile: 69, withheld: null });
    expect(Math.abs(body.market_position.median_price - 55_000)).toBeLessThanOrEqual(2_000);
    const truck = goodTruck({ make });
    await starter.call('POST', '/v1/inventory', truck);
    const own = await starter.call('GET', `/v1/inventory/${truck.vin}`);
    expect(own.body).not.toHaveProperty('market_position');
  });

  test('a truck of a kind nobody counted yet: how many, and why nothing more', async () => {
    const [mine] = await sell(a, freshMake(), [60_000]);
    const { body } = await who(a).call('GET', `/v1/inventory/${mine?.vin}`);
    expect(body.market_position.median_price === null || body.market_position.count === 1).toBe(true);
  });
});
