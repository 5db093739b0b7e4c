import { describe, expect, test } from 'vitest';
import { lastWeeks } from '../../../lib/market/figures/market-weeks.ts';
import { findOthers } from '../../../lib/market/queries/trucks.ts';
import { goodTruck, startService, type TestAccount } from '../../support/service/service.ts';

/**
 * The attacker plays the same 200 requests twice: before and after others' prices and mileages moved within their
 * rounding. What is the same byte for byte cannot place a secret better than the rounded value.
 */

const STRATEGIES = 8;
const REQUESTS = 200;

/** The same weeks in both plays. */
const NOW = Date.parse(lastWeeks(Date.now(), 1)[0] ?? '');
const service = await startService(({ clock }) => ({ clock: { ...clock, now: () => NOW } }));
const sellers = [await service.newAccount(), await service.newAccount(), await service.newAccount()];
const attacker = await service.newAccount();

const MAKE = `Zs${process.pid}`;
/** The secrets: exact values of each seller's trucks, all of which round to the same. */
const LOW = { price: 83_250, mileage: 302_500 };
const HIGH = { price: 83_749, mileage: 307_499 };
const trucks = Array.from({ length: 14 }, (_, n) => ({
  seller: n % 3,
  truck: goodTruck({
    make: MAKE,
    year: 2018 + (n % 4),
    state: n < 6 ? 'TX' : n < 13 ? 'OK' : 'AK',
    condition: 'used',
    body_type: n < 10 ? 'sleeper_tractor' : 'day_cab_tractor',
  }),
}));
const attackerVins = [0, 1, 2, 3].map(() => String(goodTruck().vin));
const extra = String(goodTruck().vin);

async function stock(offset: typeof LOW): Promise<void> {
  for (const [n, { seller, truck }] of trucks.entries()) {
    const { price, mileage } = offset;
    const record = { ...truck, price: price + n * 2_500, mileage: mileage + n * 10_000 };
    expect((await sellers[seller]?.post(record))?.status).toBeLessThan(300);
  }
}

const post = (change: object) =>
  attacker.call(
    'POST',
    '/v1/inventory',
    goodTruck({ make: MAKE, condition: 'used', ...change, status: 'available' }),
  );
const read = async (path: string) => {
  const { status, body } = await attacker.call('GET', path);
  expect(status, path).toBe(200);
  return body;
};
const prices = (query: string) => read(`/v1/market-data/prices?make=${MAKE}${query}`);
const comparables = (vin: string) => read(`/v1/market-data/comparables/${vin}`);

/** One request by each strategy in turn. */
async function attack(n: number): Promise<unknown> {
  const step = Math.floor(n / STRATEGIES);
  const [vin] = attackerVins;
  switch (n % STRATEGIES) {
    case 0: // Padding the sample with known prices.
      await post({ vin: attackerVins[step % 4], price: 40_000 + step * 1_117 });
      return prices('');
    case 1: // Differences of two filters.
      return prices(
        ['', '&state=OK', '&state=TX', '&state=AK', '&year_min=2019', '&year_max=2020'][step % 6] ?? '',
      );
    case 2: // Moving a bound across a truck.
      return prices(`&mileage_min=${290_000 + step * 2_500}&mileage_max=${480_000 - step * 3_000}`);
    case 3: // Watching where percentile and verdict turn.
      await post({ vin, price: 83_000 + step * 37, mileage: 350_000, year: 2019 });
      return comparables(vin ?? '');
    case 4: // Dithering what prices are adjusted to.
      await post({ vin, price: 84_000, mileage: 300_000 + step * 4_321, year: 2018 + (step % 4) });
      return comparables(vin ?? '');
    case 5: // Weekly cells.
      return read(`/v1/market-data/trends?make=${MAKE}&weeks=${1 + (step % 4)}`);
    case 6: // The position of one's own truck.
      await post({ vin, price: 83_000 + step * 61, year: 2019 });
      return (await read(`/v1/inventory/${vin}`)).market_position;
    default: // Listing somebody else's VIN, so that it is one's own.
      await post({ vin: trucks[step % 14]?.truck.vin, price: 50_000 + step });
      return [
        await prices(`&year=${2018 + (step % 4)}`),
        await comparables(String(trucks[step % 14]?.truck.vin)),
      ];
  }
}

/** All that was learnt, but for times and the attacker's own. */
async function play(): Promise<string[]> {
  const learnt: string[] = [];
  for (let n = 0; n < REQUESTS; n += 1)
    learnt.push(
      JSON.stringify(await attack(n), (key, value) => (/^(as_of|own)$/.test(key) ? undefined : value)),
    );
  return learnt;
}

test('200 requests by every strategy learn nothing that the rounded prices do not say', async () => {
  await stock(LOW);
  const first = await play();
  await stock(HIGH);
  expect(await play()).toEqual(first);
  // The attacker did see figures, and they are of others only.
  expect(first.filter((text) => /"p50":\d/.test(text)).length).toBeGreaterThan(60);
  await post({ vin: extra, price: 500_000 });
  const { market } = await prices('');
  expect(market).toMatchObject({ count: 14, sellers: 3, withheld: null });
}, 120_000);

test('a sample of a larger market says no more', async () => {
  const readRows = async () => {
    const { trucks } = await findOthers(service.ports.db, attacker.id, { make: MAKE }, 8);
    return trucks.map(({ vin, price, mileage }) => [vin, price, mileage]);
  };
  await stock(LOW);
  const first = await readRows();
  await stock(HIGH);
  expect(await readRows()).toEqual(first);
});

describe('who counts', () => {
  const answerFor = async (make: string) => (await read(`/v1/market-data/prices?make=${make}`)).market;
  let serial = 0;
  const list = async (seller: TestAccount | undefined, make: string, count: number, change = {}) => {
    const records = Array.from({ length: count }, () => goodTruck({ make, ...change }));
    await seller?.post({ records });
    return records.map(({ vin }) => String(vin));
  };

  test('a VIN counts once, with the latest price, whoever lists it how often', async () => {
    const make = `${MAKE}v${++serial}`;
    const [a, b, c] = sellers;
    const [vin] = await list(a, make, 3, { price: 70_000 });
    await list(b, make, 2, { price: 70_000 });
    await list(c, make, 1, { price: 70_000 });
    await b?.post(goodTruck({ make, vin, price: 60_000, source_provider_id: 'x' }));
    await c?.post(goodTruck({ make, vin, price: 50_000 }));
    expect(await answerFor(make)).toMatchObject({
      count: 6,
      sellers: 3,
      price: { count: 6, min: 50_000, p50: 70_000 },
    });
  });

  test('not sellers who are suspended or not in the market, from the next request on', async () => {
    const make = `${MAKE}v${++serial}`;
    const third = await service.newAccount();
    for (const seller of [sellers[0], sellers[1], third]) await list(seller, make, 2);
    const all = { count: 6, sellers: 3, withheld: null };
    const others = { count: 4, sellers: 2, withheld: 'too_few_listings' };
    for (const [change, market] of [
      [{ in_market: true }, all],
      [{ in_market: false }, others],
      [{ in_market: true, suspended: true }, others],
      [{ suspended: false }, all],
    ]) {
      await service.admin('PATCH', `/api/admin/accounts/${third.id}`, change);
      expect(await answerFor(make)).toMatchObject({ ...market });
    }
  });

  test('not trucks with a suspicious price, until it is corrected or confirmed', async () => {
    const make = `${MAKE}v${++serial}`;
    const truck = goodTruck({ make });
    const expectCount = async (count: number, change: object) => {
      await sellers[0]?.post({ ...truck, ...change });
      expect((await answerFor(make)).count).toBe(count);
    };
    await expectCount(0, { price: 689_000 });
    await expectCount(1, { price: 689_000, confirmed_price: 689_000 });
    await expectCount(0, { price: 699_000, confirmed_price: 689_000 });
    await expectCount(1, { price: 69_900 });
  });
});
