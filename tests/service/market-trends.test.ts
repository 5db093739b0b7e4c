import { beforeAll, expect, test } from 'vitest';
import { lastWeeks } from '../../lib/domain/market/market-weeks.ts';
import { rowsOf } from '../support/database.ts';
import {
  CRON_SECRET,
  goodTruck,
  startService,
  type TestAccount,
  type TestService,
} from '../support/service.ts';

let service: TestService;
let accounts: TestAccount[];
let serial = 0;
beforeAll(async () => {
  service = await startService();
  accounts = [await service.newAccount(), await service.newAccount()];
});

const freshMake = () => `Zt${process.pid}x${++serial}`;
const WEEK = 7 * 86_400_000;

/** Posts trucks of both accounts and moves their beginning `weeks` back in history. */
async function sell(make: string, prices: readonly number[], weeks: number) {
  const vins: { vin: string; account: TestAccount }[] = [];
  for (const [at, price] of prices.entries()) {
    const account = accounts[at % 2] as TestAccount;
    const truck = goodTruck({ make, price });
    expect((await account.call('POST', '/v1/inventory', truck)).status).toBe(201);
    vins.push({ vin: String(truck.vin), account });
    await rowsOf(
      `update listing_events set at = at - make_interval(days => $3::int * 7) where account_id = $1 and dedup_hash in
        (select dedup_hash from listings where account_id = $1 and vin = $2)`,
      [account.id, truck.vin, weeks],
    );
  }
  return vins;
}

async function trends(query: string) {
  const answer = await (accounts[0] as TestAccount).call('GET', `/v1/market-data/trends?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

test('supply, median, sales and days on market of each week', async () => {
  const make = freshMake();
  const vins = await sell(make, [50_000, 52_000, 54_000, 56_000, 58_000, 60_000], 2);
  for (const { vin, account } of vins.slice(0, 5))
    await account.call('PATCH', '/v1/inventory', { vin, status: 'sold' });
  const body = await trends(`make=${make}&weeks=4`);
  expect(body).toMatchObject({ scope: 'market', withheld: null, approximate: false });
  expect(body.weeks.map(({ week }: { week: string }) => week)).toEqual(lastWeeks(Date.now(), 4));
  expect(body.weeks).toMatchObject([
    { supply: 0, median_price: null, sold: null, withheld: 'too_few_listings' },
    { supply: 6, median_price: 55_000, sold: 0, days_on_market: null, withheld: null },
    { supply: 6, median_price: 55_000, sold: 0 },
    { supply: 1, median_price: null, price_count: 1, sold: 5, days_on_market: 14, withheld: null },
  ]);
});

test('a price change counts from its week on; a truck that comes back is supply again', async () => {
  const make = freshMake();
  const vins = await sell(make, [50_000, 50_000, 50_000, 50_000, 50_000], 1);
  for (const { vin, account } of vins)
    await account.call('POST', '/v1/inventory', goodTruck({ make, vin, price: 60_000 }));
  const [first] = vins;
  await first?.account.call('PATCH', '/v1/inventory', { vin: first.vin, status: 'delisted' });
  await first?.account.call('POST', '/v1/inventory', goodTruck({ make, vin: first.vin, price: 61_000 }));
  const { weeks } = await trends(`make=${make}&weeks=2`);
  expect(weeks).toMatchObject([
    { supply: 5, median_price: 50_000 },
    { supply: 5, median_price: 60_000, sold: 0 },
  ]);
});

test('the counted weeks say what the replayed histories say', async () => {
  const make = freshMake();
  const vins = await sell(make, [40_000, 44_000, 48_000, 52_000, 56_000, 60_000, 64_000], 3);
  for (const { vin, account } of vins.slice(0, 2))
    await account.call('PATCH', '/v1/inventory', { vin, status: 'sold' });
  for (let tries = 0; tries < 20; tries += 1) {
    const { body } = await service.call('GET', '/api/cron/market', { token: CRON_SECRET });
    if (body.outcome === 'done') break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const live = await service.ports.market.histories({ make, model: null, truckClass: null }, 500);
  const since = lastWeeks(Date.now() - WEEK, 1)[0] ?? '';
  expect(live).toHaveLength(7);
  const [known] = await service.ports.market.weeks({ make, model: null, truckClass: 'class_8' }, since);
  expect(known?.map(({ tallies }) => [tallies.supply.n, tallies.sold.n])).toEqual([
    [7, 0],
    [5, 2],
  ]);
  expect(await service.ports.market.histories({ make, model: null, truckClass: null }, 6)).toBeNull();
});

test.each(['weeks=0', 'weeks=53', 'weeks=x', 'model=M2', 'class=1', 'year=2019'])(
  '%s is INVALID_PARAMS',
  async (query) => {
    const { status, body } = await (accounts[0] as TestAccount).call(
      'GET',
      `/v1/market-data/trends?${query}`,
    );
    expect([status, body.error.code]).toEqual([400, 'INVALID_PARAMS']);
  },
);
