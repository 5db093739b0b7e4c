import { expect, test } from 'vitest';
import { lastWeeks } from '../../../lib/market/figures/market-weeks.ts';
import { queryRows } from '../../support/service/database.ts';
import { goodTruck, type TestAccount } from '../../support/service/service.ts';
import { others, uniqueMake, own as viewer } from './sellers.ts';

/** Sets the steps of a truck back in history, by an SQL interval of their version. */
const moveBack = (account: TestAccount, vin: unknown, interval: string) =>
  queryRows(
    `update listing_events set at = (at at time zone 'utc' - ${interval}) at time zone 'utc'
    where account_id = $1 and dedup_hash in (select dedup_hash from listings where account_id = $1 and vin = $2)`,
    [account.id, vin],
  );

/** Posts trucks of three accounts and moves their beginning `weeks` back in history. */
async function sell(make: string, prices: readonly number[], weeks: number) {
  const vins: { vin: string; account: TestAccount }[] = [];
  for (const [at, price] of prices.entries()) {
    const account = others[at % 3] as TestAccount;
    const truck = goodTruck({ make, price });
    await account.post(truck);
    vins.push({ vin: String(truck.vin), account });
    await moveBack(account, truck.vin, `interval '${weeks} weeks'`);
  }
  return vins;
}

const trends = async (query: string) => (await viewer.call('GET', `/v1/market-data/trends?${query}`)).body;

test('supply, median, sales and days on market of each week since the first truck', async () => {
  const make = uniqueMake();
  const vins = await sell(make, [50_000, 52_000, 54_000, 56_000, 58_000, 60_100], 2);
  for (const { vin, account } of vins.slice(0, 5)) await account.patch({ vin, status: 'sold' });
  const { market, approximate } = await trends(`make=${make}&weeks=4`);
  expect(approximate).toBe(false);
  expect(market).toMatchObject({ count: 6, sellers: 3, feed_only_sellers: 0, withheld: null });
  expect(market.weeks).toMatchObject([
    {
      week: lastWeeks(Date.now(), 3)[0],
      supply: 6,
      median_price: 55_000,
      sold: 0,
      vanished: 0,
      days_on_market: null,
      withheld: null,
    },
    { supply: 6, median_price: 55_000, sold: 0 },
    { supply: 1, median_price: null, price_count: 1, sold: 5, days_on_market: 14, withheld: null },
  ]);
});

test('the week under way has the trucks and the median of Prices, however many there are', async () => {
  const make = uniqueMake();
  for (const seller of others)
    await seller.post({
      records: Array.from({ length: 110 }, (_, n) => goodTruck({ make, price: 40_000 + n ** 2 })),
    });
  const { market } = (await viewer.call('GET', `/v1/market-data/prices?make=${make}`)).body;
  const answer = await trends(`make=${make}&weeks=1`);
  expect([answer.approximate, market.price.p50]).toEqual([true, 43_000]);
  expect(answer.market.weeks).toMatchObject([{ supply: 330, price_count: 330, median_price: 43_000 }]);
});

test('a suspicious price that was corrected since is in no past week', async () => {
  const make = uniqueMake();
  const [account] = others;
  await sell(make, [70_000, 71_000, 72_000, 73_000, 74_000], 1);
  const typo = goodTruck({ make, price: 700_000 });
  await account.post(typo);
  await moveBack(account, typo.vin, "interval '1 week'");
  await account.post({ ...typo, price: 75_000 });
  expect((await trends(`make=${make}&weeks=2`)).market.weeks).toMatchObject([
    { supply: 6, price_count: 5, median_price: 72_000 },
    { supply: 6, price_count: 6, median_price: 72_500 },
  ]);
});

test('a price change counts from its week on; a truck that comes back is supply again', async () => {
  const make = uniqueMake();
  const vins = await sell(make, Array(5).fill(50_000), 1);
  for (const { vin, account } of vins) await account.post(goodTruck({ make, vin, price: 60_000 }));
  const [first] = vins;
  await first?.account.patch({ vin: first.vin, status: 'delisted' });
  await first?.account.post(goodTruck({ make, vin: first.vin, price: 61_000 }));
  expect((await trends(`make=${make}&weeks=2`)).market.weeks).toMatchObject([
    { supply: 5, median_price: 50_000 },
    { supply: 5, median_price: 60_000, sold: 0 },
  ]);
});

test('many price changes hide no sale, and a price in another currency is no figure of one’s own', async () => {
  const make = uniqueMake();
  const truck = goodTruck({ make, price: 50_000 });
  const post = (change: object) => viewer.post({ ...truck, ...change });
  await post({});
  await viewer.patch({ vin: truck.vin, status: 'sold' });
  await moveBack(viewer, truck.vin, 'make_interval(days => 56 - 21 * version)');
  await post({ status: 'available' });
  for (let step = 1; step <= 61; step += 1) await post({ price: 50_000 + step * 10 });
  await viewer.post(goodTruck({ make, price: 90_000, currency: 'CAD' }));
  const { own } = await trends(`make=${make}&weeks=6`);
  expect(own.weeks.map(({ sold }: { sold: number }) => sold)).toEqual([0, 0, 0, 1, 0, 0]);
  expect(own.weeks.at(-1)).toMatchObject({ supply: 2, price_count: 1, median_price: 50_610 });
});
