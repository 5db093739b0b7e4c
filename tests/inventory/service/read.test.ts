import { describe, expect, test } from 'vitest';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { startService } from '../../support/service/service.ts';

/** GET /v1/inventory/{vin}. */

const service = await startService();
// A starter: what the market says may change between two reads.
const account = await service.newAccount({ tier: 'starter' });

const get = (vin: string, headers?: Record<string, string>) =>
  account.call('GET', `/v1/inventory/${encodeURIComponent(vin)}`, undefined, headers);
const read = async (vin: string) => (await get(vin)).body;

describe('a listing', () => {
  test('is the record itself at the top level, enriched, with what the service does not know under attributes', async () => {
    const truck = cleanTruck({
      zip: '76701',
      make: 'FREIGHTLINER',
      class: 8,
      apu: 'Thermo King',
      images: ['https://i.example/1.jpg'],
    });
    await account.post(truck);
    const { status, body } = await get(truck.vin);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      vin: truck.vin,
      year: 2017,
      make: 'Freightliner',
      model: 'Cascadia',
      class: 'class_8',
      gvwr: 52_000,
      body_type: 'sleeper_tractor',
      price: 68_900,
      mileage: 412_350,
      color: null,
      status: 'available',
      source_provider_id: null,
      dealer: null,
      attributes: { apu: 'Thermo King' },
      location: { city: 'Waco', state: 'TX', zip: '76701', source: 'zip' },
      images: [{ url: 'https://i.example/1.jpg', status: 'pending' }],
      vin_facts: {
        wmi: '1FU',
        check_digit: 'valid',
        model_years: [1987, 2017],
        make: 'Freightliner',
        truck_class: 'class_8',
      },
      price_history: [{ price: 68_900, at: expect.any(String) }],
      sources: [{ source_provider_id: null, status: 'available' }],
      sold_at: null,
      delisted_at: null,
      derived: ['fuel_type', 'engine', 'cab', 'city', 'state'],
    });
    expect(body.origins).toMatchObject({
      make: 'record',
      price: 'record',
      engine: 'vin',
      cab: 'vin',
      zip: 'record',
      city: 'gazetteer',
      state: 'gazetteer',
      latitude: 'gazetteer',
    });
    expect(Object.keys(body.origins)).not.toContain('color');
    expect(body.location.latitude).toBeCloseTo(31.5, 0);
    const times = [body.first_seen_at, body.observed_at, body.updated_at].map((at) => Date.parse(at));
    // The database's zone is far from UTC: a time without its zone would be hours away.
    for (const time of times) expect(Math.abs(time - Date.now())).toBeLessThan(60_000);
  });

  test('is found by its VIN in lower case', async () => {
    const { vin } = cleanTruck();
    await account.post(cleanTruck({ vin }));
    expect((await read(vin.toLowerCase())).vin).toBe(vin);
  });

  test.each(['A', 'A'.repeat(16), 'A'.repeat(18), '1FUJGLDR-3H000001', 'x'.repeat(3_000)])(
    'with %j for a VIN is INVALID_VIN unless it has 17 characters; nothing is stripped',
    async (vin) => {
      const answer = await get(vin);
      const code = vin.length === 17 ? 'NOT_FOUND' : 'INVALID_VIN';
      expect([answer.status, answer.body.error.code]).toEqual([vin.length === 17 ? 404 : 400, code]);
    },
  );

  test('of a strange VIN of 17 characters is NOT_FOUND: never an error of the database', async () => {
    for (const char of ['\u0000', ' ', 'é', '%', '/', '\\', '\u2028', 'ﬁ']) {
      const answer = await get(char.repeat(17));
      expect([answer.status, answer.body.error.code], JSON.stringify(char)).toEqual([404, 'NOT_FOUND']);
    }
  });
});

test('the ETag stays while nothing changes, is answered with 304 to who may read, and changes with the listing', async () => {
  const truck = cleanTruck();
  const { vin } = truck;
  await account.post(truck);
  const readTag = async () => (await get(vin)).headers.get('etag') ?? '';
  const etag = await readTag();
  await account.post(truck);
  for (const [header, status] of [
    ...[etag, `W/${etag}`, `"x",W/${etag} , "y"`, '*', `${etag},*`].map((known) => [known, 304] as const),
    ...['"x"', etag.slice(1, -1), `"${etag}"`, ''].map((other) => [other, 200] as const),
  ]) {
    const answer = await get(vin, { 'if-none-match': header });
    expect([answer.status, answer.headers.get('etag')], header).toEqual([status, etag]);
  }
  const other = await service.newAccount();
  const headers = { 'if-none-match': '*' };
  expect((await other.call('GET', `/v1/inventory/${vin}`, undefined, headers)).status).toBe(404);
  const tags = new Set([etag]);
  for (const change of [{ price: 50_000 }, { status: 'sold' }, { source_provider_id: 'other' }]) {
    await account.post({ ...truck, ...change });
    tags.add(await readTag());
  }
  expect(tags.size).toBe(4);
});

describe('a VIN of several providers', () => {
  const show = async (vin: string) => {
    const { source_provider_id: shown, status, price, sources } = await read(vin);
    const providers = sources.map((source: { source_provider_id: string }) => source.source_provider_id);
    return { shown, status, price, providers };
  };
  const setStatus = (vin: string, status: string, source_provider_id: string) =>
    account.patch({ vin, status, source_provider_id });

  test('shows the freshest available listing, else the freshest of those gone, all as sources in that order', async () => {
    const truck = cleanTruck();
    const { vin } = truck;
    for (const [at, source_provider_id] of ['a', 'b', 'c'].entries())
      await account.post({ ...truck, source_provider_id, price: 60_000 + at });
    expect(await show(vin)).toMatchObject({ shown: 'c', price: 60_002, providers: ['c', 'b', 'a'] });
    await setStatus(vin, 'sold', 'c');
    const next = { shown: 'b', status: 'available', providers: ['b', 'a', 'c'] };
    expect(await show(vin)).toMatchObject(next);
    await account.post({ ...truck, source_provider_id: 'a', price: 61_000 });
    expect(await show(vin)).toMatchObject({ shown: 'a', price: 61_000 });
    const { price_history: prices } = await read(vin);
    expect(prices.map(({ price }: { price: number }) => price)).toEqual([60_000, 61_000]);
    await setStatus(vin, 'sold', 'b');
    await setStatus(vin, 'delisted', 'a');
    expect(await show(vin)).toMatchObject({ shown: 'a', status: 'delisted' });
  });

  test('answers at most 100 sources, the one shown first', async () => {
    const truck = cleanTruck();
    const records = Array.from({ length: 105 }, (_, n) => ({ ...truck, source_provider_id: `p${n}` }));
    await account.post({ records });
    await setStatus(truck.vin, 'sold', 'p0');
    const { shown, status, providers } = await show(truck.vin);
    expect([status, providers.length, providers[0]]).toEqual(['available', 100, shown]);
    expect(providers).not.toContain('p0');
  });
});
