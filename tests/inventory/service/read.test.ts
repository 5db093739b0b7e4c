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

test('a listing is the enriched record under its VIN in any case; unknown fields are under attributes', async () => {
  const images = ['https://i.example/1.jpg'];
  const truck = cleanTruck({ zip: '76701', make: 'FREIGHTLINER', class: 8, apu: 'Thermo King', images });
  await account.post(truck);
  const { status, body } = await get(truck.vin.toLowerCase());
  expect([status, body]).toMatchObject([
    200,
    {
      vin: truck.vin,
      make: 'Freightliner',
      class: 'class_8',
      price: 68_900,
      color: null,
      status: 'available',
      attributes: { apu: 'Thermo King' },
      location: { city: 'Waco', state: 'TX', zip: '76701', source: 'zip' },
      images: [{ url: images[0], status: 'pending' }],
      vin_facts: { wmi: '1FU', check_digit: 'valid', model_years: [1987, 2017], truck_class: 'class_8' },
      price_history: [{ price: 68_900 }],
      sources: [{ source_provider_id: null, status: 'available' }],
      derived: ['fuel_type', 'engine', 'cab', 'city', 'state'],
      origins: { make: 'record', engine: 'vin', zip: 'record', city: 'gazetteer', latitude: 'gazetteer' },
    },
  ]);
  expect(Object.keys(body.origins)).not.toContain('color');
  const { first_seen_at, observed_at, updated_at, price_history } = body;
  // The database's zone is far from UTC: a time without its zone would be hours away.
  for (const time of [first_seen_at, observed_at, updated_at, price_history[0].at])
    expect(Math.abs(Date.parse(time) - Date.now()), time).toBeLessThan(60_000);
});

const STRANGE = ['\u0000', ' ', 'é', '%', '/', '\\', '\u2028', 'ﬁ'].map((char) => char.repeat(17));

test.each(['A', 'A'.repeat(16), 'A'.repeat(18), 'x'.repeat(3_000), '1FUJGLDR-3H000001', ...STRANGE])(
  'with %j for a VIN is INVALID_VIN unless it has 17 characters; nothing is stripped',
  async (vin) => {
    const isWhole = vin.length === 17;
    const error = { code: isWhole ? 'NOT_FOUND' : 'INVALID_VIN' };
    expect(await get(vin)).toMatchObject({ status: isWhole ? 404 : 400, body: { error } });
  },
);

test('the ETag stays while nothing changes, is answered with 304 to who may read, and changes with the listing', async () => {
  const truck = cleanTruck();
  const { vin } = truck;
  await account.post(truck);
  const readTag = async () => (await get(vin)).headers.get('etag') ?? '';
  const etag = await readTag();
  await account.post(truck);
  const etags = [etag, `"x",W/${etag} , "y"`, '*'];
  for (const header of [...etags, '"x"', etag.slice(1, -1), `"${etag}"`, '']) {
    const answer = await get(vin, { 'if-none-match': header });
    const status = etags.includes(header) ? 304 : 200;
    expect([answer.status, answer.headers.get('etag')], header).toEqual([status, etag]);
  }
  const other = await service.newAccount();
  const headers = { 'if-none-match': etag };
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
    const { source_provider_id: provider, status, price, sources } = await read(vin);
    const providers = sources.map((source: { source_provider_id: string }) => source.source_provider_id);
    return { shown: provider, status, price, providers };
  };
  const setStatus = (vin: string, status: string, source_provider_id: string) =>
    account.patch({ vin, status, source_provider_id });

  test('shows the latest available listing, else the latest of the others; its sources have that order', async () => {
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
    expect((await read(vin)).price_history).toMatchObject([{ price: 60_000 }, { price: 61_000 }]);
    await setStatus(vin, 'sold', 'b');
    await setStatus(vin, 'delisted', 'a');
    expect(await show(vin)).toMatchObject({ shown: 'a', status: 'delisted' });
  });

  test('answers at most 100 sources, the one shown first', async () => {
    const truck = cleanTruck();
    const records = Array.from({ length: 105 }, (_, n) => ({ ...truck, source_provider_id: `p${n}` }));
    await account.post({ records });
    await setStatus(truck.vin, 'sold', 'p0');
    const { shown: provider, status, providers } = await show(truck.vin);
    expect([status, providers.length, providers[0]]).toEqual(['available', 100, provider]);
    expect(providers).not.toContain('p0');
  });
});
