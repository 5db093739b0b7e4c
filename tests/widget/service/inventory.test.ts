import { expect, test } from 'vitest';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { goodTruck, startService } from '../../support/service/service.ts';

/** What visitors see of a dealer's trucks. */

const trucks = [
  { price: 40_000, model: 'Cascadia', year: 2018, body_type: 'day cab', mileage: 600_000 },
  { price: 60_000, model: 'Cascadia', year: 2020, mileage: 300_000 },
  { price: null, make: 'Isuzu', model: 'NPR', class: 'class_4', gvwr: 14_500, body_type: 'box truck' },
].map((change) => goodTruck({ ...change, stock_number: 'S1', description: 'Words', cost_internal: '9' }));

/** The same seller's, at another of its dealers. */
const nextDoor = goodTruck();

const service = await startService();
const account = await service.newAccount();
const dealer = await newDealer();
const [soldTruck, delistedTruck] = [goodTruck({ dealer }), goodTruck({ dealer })];
const records = [
  ...trucks.map((truck) => ({ ...truck, dealer })),
  { ...nextDoor, dealer: await newDealer() },
  soldTruck,
  delistedTruck,
];
const answer = await account.post({ records });
expect(answer.body.summary.created, answer.text).toBe(6);
await account.patch({ vin: soldTruck.vin, status: 'sold' });
await account.patch({ vin: delistedTruck.vin, status: 'delisted' });

const browse = (query = '', slug = dealer) =>
  account.call('GET', `/v1/widget/inventory?dealerSlug=${slug}&visitorId=v-1${query}`);
const findVins = async (query = '') => {
  const { status, text, body } = await browse(query);
  expect(status, text).toBe(200);
  return body.vehicles.map(({ vin }: { vin: string }) => vin).sort();
};
const vins = (...of: (Record<string, unknown> | undefined)[]) => of.map((truck) => truck?.vin).sort();
async function newDealer(change: Record<string, unknown> = {}): Promise<string> {
  const slug = uniqueSlug();
  await account.call('POST', '/v1/dealers', { slug, name: 'X', ...change });
  return slug;
}

test('a CDN may keep what depends on the address and the origin alone, and nothing else', async () => {
  const page = 'https://dealer.example';
  const json = { account_id: account.id, kind: 'publishable', allowed_origins: [page] };
  const { key } = (await service.admin('POST', '/api/admin/keys', json)).body;
  const path = `/v1/widget/inventory?dealerSlug=${dealer}&visitorId=v_0`;
  const ask = async (token: string | null, query = '', origin: string | null = page) => {
    const answer = await service.call('GET', path + query, {
      token,
      headers: origin === null ? {} : { origin },
    });
    return [answer.status, answer.headers.get('cache-control'), answer.headers.get('vary')];
  };
  const shared = 'public, max-age=30, s-maxage=30, stale-while-revalidate=30';
  expect(await ask(null, `&key=${key}`)).toEqual([200, shared, 'Origin']);
  const privateAnswer = [200, 'private, max-age=30', 'Origin, Authorization'];
  expect(await ask(key)).toEqual(privateAnswer);
  expect(await ask(account.key, `&key=${key}`, null)).toEqual(privateAnswer);
  const refusal = [403, 'no-store', 'Origin'];
  expect(await ask(null, `&key=${key}`, 'https://evil.example')).toEqual(refusal);
});

test('the list has the dealer’s available trucks alone, as cards without internal fields', async () => {
  const { body } = await browse();
  expect(await findVins()).toEqual(vins(...trucks));
  const count = { value: 3, exact: true };
  expect(body).toMatchObject({ count, nextCursor: null, visit: expect.any(String) });
  expect(body.vehicles.find(({ vin }: { vin: string }) => vin === trucks[0]?.vin)).toEqual({
    vin: trucks[0]?.vin,
    title: '2018 Freightliner Cascadia',
    year: 2018,
    make: 'Freightliner',
    model: 'Cascadia',
    price: 40_000,
    currency: 'USD',
    mileage: 600_000,
    distance: '600,000 mi',
    class: 'class_8',
    bodyType: 'day_cab_tractor',
    body: 'Day cab tractor',
    condition: null,
    status: 'available',
    location: null,
    image: null,
    url: null,
  });
});

const [cheap, dear, isuzu] = trucks;
test.each([
  ['make=Freightliner', [cheap, dear]],
  ['priceMin=50000', [dear]],
  ['priceMax=50000', [cheap]],
  ['yearMin=2020&yearMax=2020', [dear]],
  ['mileageMax=300000', [dear]],
  ['bodyType=Box%20Truck&class=4', [isuzu]],
  [`vin=${String(dear?.vin).toLowerCase()}&priceMax=1`, [dear]],
])('is searched as the inventory is, under names in camelCase: %s', async (query, matches) => {
  expect(await findVins(`&${query}`)).toEqual(vins(...matches));
});

test('one truck by VIN: of this dealer, available and a truck, or none', async () => {
  // Its VIN is a trailer's, and nobody says that it is a truck.
  const trailer = { vin: '1GRAA0623JB112233', year: 2018, make: 'Great Dane', dealer };
  expect((await account.post(trailer)).body.warnings).toMatchObject([{ code: 'VIN_NOT_A_TRUCK' }]);
  const none = { vehicles: [], count: { value: 0, exact: true } };
  for (const vin of [soldTruck.vin, nextDoor.vin, trailer.vin])
    expect((await browse(`&vin=${vin}`)).body).toMatchObject(none);
});

test('a truck of two providers is shown once, in its latest version', async () => {
  const slug = await newDealer();
  const truck = goodTruck({ dealer: slug, price: 50_000, source_provider_id: 'dms' });
  await account.post(truck);
  await account.post({ ...truck, price: 48_000, source_provider_id: 'site' });
  const list = async (query = '') => {
    const { vehicles, count } = (await browse(query, slug)).body;
    return [count.value, ...vehicles.map(({ price }: { price: number }) => price)];
  };
  expect(await list()).toEqual([1, 48_000]);
  expect(await list('&priceMin=49000')).toEqual([0]);
  expect(await list(`&vin=${truck.vin}`)).toEqual([1, 48_000]);
  await account.patch({ vin: truck.vin, status: 'sold', source_provider_id: 'site' });
  expect(await list()).toEqual([1, 50_000]);
});

test.each([
  ['priceMin', '&priceMin=many'],
  ['priceMin', '&priceMin=9&priceMax=1'],
  ['class', '&class=99'],
  ['limit', '&limit=25'],
  ['sort', '&sort=relevance'],
])('a bad %s is INVALID_PARAMS under its own name: %s', async (field, query) => {
  const { status, body } = await browse(query);
  expect([status, body.error.code, body.error.details.field]).toEqual([400, 'INVALID_PARAMS', field]);
});

test('one truck has its facts in the visitor’s language', async () => {
  const truck = goodTruck({
    dealer,
    engine: 'Detroit DD15',
    horsepower: 455,
    transmission: 'manual',
    body_length: 26,
    color: 'White',
    condition: 'used',
    description: 'One owner.',
    front_axle: '12,000 lb',
    cost_internal: 'quetzal',
  });
  await account.post(truck);
  const read = async (locale: string) => {
    const { body, text } = await browse(`&vin=${truck.vin}&locale=${locale}`);
    expect(text).not.toContain('quetzal');
    const [{ specs, ...card }] = body.vehicles;
    expect(card).toMatchObject({ description: 'One owner.', photos: [] });
    return Object.fromEntries(specs.map(({ id, value }: { id: string; value: string }) => [id, value]));
  };
  expect(await read('en')).toMatchObject({
    engine: 'Detroit DD15, 455 hp',
    transmission: 'Manual',
    axles: 'front axle 12,000 lb',
    gvwr: '52,000 lb',
    class: '8',
    body: 'Sleeper tractor, 26 ft',
    listed: 'this hour',
    vin: truck.vin,
  });
  expect(await read('es-MX')).toMatchObject({ color: 'Blanco', condition: 'Usado', listed: 'esta hora' });
  expect(await read('fr')).toMatchObject({ color: 'Blanc', body: 'Tracteur avec couchette, 26 ft' });
  await account.call('DELETE', `/v1/inventory/${truck.vin}`);
});

test('no match brings the closest trucks, and words say how they were read', async () => {
  const { body } = await browse('&q=cascadia%20under%20$20k&locale=en');
  expect(body.vehicles).toEqual([]);
  expect(body.understood.readings).toEqual(expect.arrayContaining(['Cascadia', '≤ $20,000']));
  expect(body.closest).toMatchObject([{ model: 'Cascadia' }, { model: 'Cascadia' }]);
  expect((await browse('&q=cascadia')).body).not.toHaveProperty('closest');
});

test.each([
  [
    'en',
    'cascadia near Dallas',
    ['Cascadia', 'near Dallas, TX, within 100 miles'],
    ['near Dallas, TX within 100 miles', 'cascadia'],
  ],
  ['fr', 'à moins de 20 miles de Laredo, TX', ['près de Laredo, TX, à moins de 20 miles'], ['']],
  ['en', 'near Laredo within 20 miles', ['near Laredo, TX, within 20 miles'], ['']],
  ['en', 'near', [], []],
  ['es', 'a menos de 50 millas', ['cerca de Dallas, TX, a menos de 50 millas'], ['']],
  ['en', 'within 500k miles, not red', ['≤ 500,000 mi', 'not red'], [', not red', 'within 500k miles,']],
])('a distance is read, and each reading can be taken away: %s, %s', async (locale, q, readings, without) => {
  const slug = await newDealer({ city: 'Dallas', state: 'TX' });
  await account.post(goodTruck({ dealer: slug, city: 'Fort Worth', state: 'TX' }));
  const { vehicles, understood } = (await browse(`&locale=${locale}&q=${encodeURIComponent(q)}`, slug)).body;
  expect(understood).toMatchObject({ readings, without });
  expect(vehicles).toHaveLength(q.includes('Laredo') ? 0 : 1);
});

test('more than 12 trucks come with facets', async () => {
  const large = await newDealer();
  const records = Array.from({ length: 13 }, () => goodTruck({ dealer: large, body_type: 'dump' }));
  await account.post({ records });
  const { body } = await browse('&locale=es', large);
  expect(body.facets.bodyType).toEqual([{ value: 'dump', name: 'Camión de volteo', count: 13 }]);
});

test('opening and reply time follow the dealer’s own clock', async () => {
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const hours = Object.fromEntries(days.map((day) => [day, [{ opens: '00:00', closes: '24:00' }]]));
  const contact = { name: 'Open', phone: '+1 210 555 0142', sms: '+1 210 555 0143' };
  const slug = await newDealer({ ...contact, hours, time_zone: 'America/Chicago', reply_minutes: 10 });
  const read = async (locale: string) => (await browse(`&locale=${locale}`, slug)).body.dealer;
  const opening = { isOpen: true, text: 'Ouvert' };
  expect(await read('fr')).toEqual({ ...contact, opening, reply: 'répond en 10 minutes environ' });
  await account.call('PATCH', '/v1/dealers', { slug, hours: {} });
  expect(await read('es')).toMatchObject({ opening: { isOpen: false, text: 'Cerrado' }, reply: null });
});
