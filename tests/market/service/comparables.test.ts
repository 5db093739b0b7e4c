import { describe, expect, test } from 'vitest';
import { goodTruck, startService, type TestAccount } from '../../support/service/service.ts';

let serial = 0;
const service = await startService();
const accounts = await Promise.all([1, 2, 3, 4].map(() => service.newAccount()));

const uniqueMake = () => `Zc${process.pid}x${++serial}`;
const at = (index: number): TestAccount => {
  const account = accounts[index];
  if (!account) throw new Error('no account');
  return account;
};

async function sell(index: number, change: Record<string, unknown>) {
  const truck = goodTruck({ dealer: `lot-${process.pid}-${index}`, ...change });
  const { status, text } = await at(index).post(truck);
  expect(status, text).toBe(201);
  return String(truck.vin);
}

async function comparables(index: number, vin: string) {
  const answer = await at(index).call('GET', `/v1/market-data/comparables/${vin}`);
  expect(answer.status, answer.text).toBe(200);
  return answer;
}

const NONE = { verdict: null, interval: null, percentile: null };

describe('the verdict', () => {
  test('prices are adjusted for model year and mileage before they are compared', async () => {
    const make = uniqueMake();
    const worth = (year: number, mileage: number) =>
      Math.round(60_000 * Math.exp(0.1 * (year - 2019) - 0.08 * (mileage / 100_000 - 4)));
    for (let n = 0; n < 24; n += 1) {
      const [year, mileage] = [2020 + (n % 3), 150_000 + (n % 5) * 40_000];
      await sell(1 + (n % 3), { make, year, mileage, price: worth(year, mileage) });
    }
    const fair = await sell(0, { make, year: 2019, mileage: 400_000, price: 60_000 });
    const { body } = await comparables(0, fair);
    expect(body).toMatchObject({ relaxed: [], verdict: 'at_market', own: { count: 0 } });
    expect(body.market).toMatchObject({ count: 24, sellers: 3, withheld: null });
    expect(Math.abs(body.market.price.p50 - 60_000)).toBeLessThan(2_500);
    expect([body.interval.low < 0, body.interval.high > 0]).toEqual([true, true]);
    expect(body.reasons.map(({ code }: { code: string }) => code)).toEqual(['price']);
    const dear = await sell(0, { make, year: 2019, mileage: 400_000, price: 90_000 });
    const found = {
      verdict: 'well_above_market',
      percentile: 100,
      own: { count: 1, price: { p50: 60_000 } },
    };
    expect((await comparables(0, dear)).body).toMatchObject(found);
    const call = await sell(0, { make, year: 2019, mileage: 400_000, price: null });
    expect((await comparables(0, call)).body).toMatchObject({ ...NONE, reasons: [{ code: 'no_price' }] });
  });

  test('a price in another currency has none, and no place among the others', async () => {
    const make = uniqueMake();
    for (let n = 0; n < 12; n += 1) await sell(1 + (n % 3), { make, price: 69_000 + n * 200 });
    const vin = await sell(0, { make, price: 96_000, currency: 'CAD' });
    expect((await comparables(0, vin)).body).toMatchObject({
      truck: { price: 96_000, currency: 'CAD' },
      market: { withheld: null },
      ...NONE,
      reasons: [{ code: 'currency' }],
    });
    const { market_position } = await at(0).read(vin);
    expect(market_position).toMatchObject({ median_price: 70_000, percentile: null });
  });

  test('a bucket truck is not held against cab-chassis, nor a new truck against used ones, nor a sleeper against day cabs', async () => {
    const make = uniqueMake();
    const kinds = [
      { body_type: 'cab_chassis', condition: 'used' },
      { body_type: 'bucket', condition: 'new' },
      { body_type: 'day_cab_tractor', condition: 'used' },
    ];
    for (const kind of kinds)
      for (let n = 0; n < 6; n += 1) await sell(1 + (n % 3), { make, ...kind, price: 50_000 + n * 500 });
    for (const body_type of ['bucket', 'sleeper_tractor']) {
      const vin = await sell(0, { make, body_type, condition: 'used', price: 120_000 });
      expect((await comparables(0, vin)).body).toMatchObject({
        market: { count: 0, withheld: 'too_few_listings' },
        verdict: null,
      });
    }
  });

  test('the truck itself does not count, nor does the same truck at another seller', async () => {
    const make = uniqueMake();
    for (let n = 0; n < 5; n += 1) await sell(1 + (n % 3), { make });
    const vin = await sell(0, { make, price: 77_000 });
    await sell(1, { make, vin, price: 78_000 });
    expect((await comparables(0, vin)).body.market.count).toBe(5);
  });
});

test('no answer of the market names another account, its dealer, a VIN or an exact price of one truck', async () => {
  const make = uniqueMake();
  const foreign: { vin: string; price: number; mileage: number }[] = [];
  for (let n = 0; n < 30; n += 1) {
    const [price, mileage] = [50_123 + n * 1_001, 301_234 + n * 1_111];
    const vin = await sell(1 + (n % 3), {
      make,
      price,
      mileage,
      state: n % 3 === 0 ? 'TX' : 'AK',
      city: 'Nowhere',
    });
    foreign.push({ vin, price, mileage });
  }
  const own = await sell(0, { make, price: 60_000, mileage: 320_000 });
  const paths = [
    `/v1/market-data/prices?make=${make}`,
    `/v1/market-data/prices?make=${make}&state=AK`,
    `/v1/market-data/prices?make=${make}&mileage_max=310000`,
    `/v1/market-data/comparables/${own}`,
    `/v1/market-data/trends?make=${make}`,
    `/v1/inventory/${own}`,
  ];
  for (const path of paths) {
    const { status, text } = await at(0).call('GET', path);
    expect(status, text).toBe(200);
    for (const account of [at(1), at(2), at(3)]) expect(text).not.toContain(account.id);
    expect(text).not.toContain('lot-');
    for (const { vin, price, mileage } of foreign) {
      expect(text).not.toContain(vin);
      expect(text).not.toMatch(new RegExp(`\\b(${price}|${mileage})\\b`));
    }
  }
});
