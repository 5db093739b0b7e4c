import { describe, expect, test } from 'vitest';
import { goodTruck } from '../../support/service/service.ts';
import { others, own, uniqueMake } from './sellers.ts';

/** Lists a truck of the own account, or of the others in turn. */
async function sell(change: Record<string, unknown>, of = own) {
  const truck = goodTruck({ dealer: `lot-${process.pid}`, ...change });
  await of.post(truck);
  return String(truck.vin);
}
const sellOthers = async (count: number, change: (n: number) => object) => {
  for (let n = 0; n < count; n += 1) await sell({ ...change(n) }, others[n % 3]);
};

const comparables = async (vin: string) => (await own.call('GET', `/v1/market-data/comparables/${vin}`)).body;

const NONE = { verdict: null, interval: null, percentile: null };

describe('the verdict', () => {
  test('prices are adjusted for model year and mileage before they are compared', async () => {
    const make = uniqueMake();
    const worth = (year: number, mileage: number) =>
      Math.round(60_000 * Math.exp(0.1 * (year - 2019) - 0.08 * (mileage / 100_000 - 4)));
    await sellOthers(24, (n) => {
      const [year, mileage] = [2020 + (n % 3), 150_000 + (n % 5) * 40_000];
      return { make, year, mileage, price: worth(year, mileage) };
    });
    const judge = async (price: number | null) =>
      comparables(await sell({ make, year: 2019, mileage: 400_000, price }));
    const fair = await judge(60_000);
    expect(fair).toMatchObject({
      relaxed: [],
      verdict: 'at_market',
      own: { count: 0 },
      market: { count: 24, sellers: 3, withheld: null },
      reasons: [{ code: 'price' }],
    });
    expect(Math.abs(fair.market.price.p50 - 60_000)).toBeLessThan(2_500);
    expect([fair.interval.low < 0, fair.interval.high > 0]).toEqual([true, true]);
    expect(await judge(90_000)).toMatchObject({
      verdict: 'well_above_market',
      percentile: 100,
      own: { count: 1, price: { p50: 60_000 } },
    });
    expect(await judge(null)).toMatchObject({ ...NONE, reasons: [{ code: 'no_price' }] });
  });

  test('a price in another currency has none, and no place among the others', async () => {
    const make = uniqueMake();
    await sellOthers(12, (n) => ({ make, price: 69_000 + n * 200 }));
    const vin = await sell({ make, price: 96_000, currency: 'CAD' });
    expect(await comparables(vin)).toMatchObject({
      truck: { price: 96_000, currency: 'CAD' },
      market: { withheld: null },
      ...NONE,
      reasons: [{ code: 'currency' }],
    });
    const { market_position } = await own.read(vin);
    expect(market_position).toMatchObject({ median_price: 70_000, percentile: null });
  });
  test('a bucket truck is not held against cab-chassis, nor a new truck against used ones, nor a sleeper against day cabs', async () => {
    const make = uniqueMake();
    for (const kind of [
      { body_type: 'cab_chassis', condition: 'used' },
      { body_type: 'bucket', condition: 'new' },
      { body_type: 'day_cab_tractor', condition: 'used' },
    ])
      await sellOthers(6, (n) => ({ make, ...kind, price: 50_000 + n * 500 }));
    const market = { count: 0, withheld: 'too_few_listings' };
    for (const body_type of ['bucket', 'sleeper_tractor']) {
      const vin = await sell({ make, body_type, condition: 'used', price: 120_000 });
      expect(await comparables(vin)).toMatchObject({ market, verdict: null });
    }
  });

  test('the truck itself does not count, nor does the same truck at another seller', async () => {
    const make = uniqueMake();
    await sellOthers(5, () => ({ make }));
    const vin = await sell({ make, price: 77_000 });
    await sell({ make, vin, price: 78_000 }, others[0]);
    expect((await comparables(vin)).market.count).toBe(5);
  });
});

test('no answer of the market names another account, its dealer, a VIN or an exact price of one truck', async () => {
  const make = uniqueMake();
  const secrets = others.map(({ id }) => id).concat('lot-');
  await sellOthers(30, (n) => {
    const { vin, ...truck } = goodTruck({ make, price: 50_123 + n * 1_001, mileage: 301_234 + n * 1_111 });
    secrets.push(`${vin}`, `\\b${truck.price}\\b`, `\\b${truck.mileage}\\b`);
    return { vin, ...truck, state: n % 3 === 0 ? 'TX' : 'AK' };
  });
  const vin = await sell({ make, price: 60_000, mileage: 320_000 });
  expect((await comparables(vin)).market.count).toBeGreaterThanOrEqual(5);
  for (const path of [
    `/v1/market-data/prices?make=${make}`,
    `/v1/market-data/prices?make=${make}&state=AK`,
    `/v1/market-data/prices?make=${make}&mileage_max=310000`,
    `/v1/market-data/comparables/${vin}`,
    `/v1/market-data/trends?make=${make}`,
    `/v1/inventory/${vin}`,
  ]) {
    const { status, text } = await own.call('GET', path);
    expect(status, text).toBe(200);
    for (const secret of secrets) expect(text).not.toMatch(new RegExp(secret));
  }
});
