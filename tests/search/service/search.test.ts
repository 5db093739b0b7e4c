import { expect, test } from 'vitest';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { startService } from '../../support/service/service.ts';

/** GET /v1/inventory: what each parameter finds. */

const DEFAULTS = { class: 'Class 8', condition: 'used', fuel_type: 'dsl' };

/** VIN → name of the truck in this file. */
const nameOf = new Map<string, string>();

const TRUCKS: Record<string, Record<string, unknown>> = {
  cascadia: {
    make: 'Freightliner',
    model: 'Cascadia',
    year: 2019,
    body_type: 'Sleeper',
    price: 68_900,
    zip: '78219',
    color: 'White',
    images: ['https://dealer.example/1.jpg'],
    dealer: 'north-yard',
  },
  cascadia126: {
    make: 'FRHT',
    model: 'Cascadia 126',
    year: 2021,
    body_type: 'Day Cab',
    price: 90_000,
    zip: '75201',
    dealer: 'north-yard',
  },
  t680: { make: 'KW', model: 'T680', year: 2020, body_type: 'sleeper', price: 85_000, dealer: 'south-yard' },
  t880: {
    make: 'Kenworth',
    model: 'T880',
    year: 2022,
    body_type: 'dump',
    transmission: 'Allison 4500 RDS',
    drivetrain: 'Tandem axle',
    price: null,
    state: 'CA',
  },
  silverado: {
    make: 'chevy',
    model: 'Silverado 6500HD',
    year: 2024,
    class: '6',
    body_type: 'flatbed',
    price: 72_000,
    condition: 'new',
    fuel_type: 'gas',
    zip: '73101',
  },
  isuzu: {
    make: 'ISUZU',
    model: 'NPR-HD',
    year: 2016,
    class: '4',
    body_type: 'box truck',
    body_length: 16,
    price: 24_500,
  },
  sold: { make: 'Mack', model: 'Anthem', body_type: 'sleeper', status: 'sold' },
  gone: { make: 'Mack', model: 'Granite', body_type: 'mixer', status: 'delisted' },
};

const service = await startService();
const account = await service.newAccount();
const other = await service.newAccount();
const mark = `${process.pid}-${Date.now().toString(36)}`;
for (const slug of ['north-yard', 'south-yard'])
  await account.call('POST', '/v1/dealers', { slug: `${slug}-${mark}`, name: slug });
const dealers = { north: `north-yard-${mark}`, south: `south-yard-${mark}` };
for (const [name, fields] of Object.entries(TRUCKS)) {
  const dealer = fields.dealer ? { dealer: `${fields.dealer}-${mark}` } : {};
  const truck = { ...cleanTruck({ gvwr: undefined, mileage: undefined, ...DEFAULTS }), ...fields, ...dealer };
  nameOf.set(truck.vin, name);
  const answer = await account.post({ ...truck, status: 'available' });
  expect(answer.status, answer.text).toBe(201);
  if (fields.status) await account.post(truck);
  // A foreign truck that every search would find as well.
  await other.post({ ...truck, dealer: undefined });
}

const search = async (params: string | Record<string, string>) =>
  (await account.call('GET', `/v1/inventory?${new URLSearchParams(params)}`)).body;

const AVAILABLE = ['cascadia', 'cascadia126', 'isuzu', 'silverado', 't680', 't880'];

test.each([
  ['', ['isuzu', 'silverado', 't880', 't680', 'cascadia126', 'cascadia']],
  ['sort=-price', ['cascadia126', 't680', 'silverado', 'cascadia', 'isuzu', 't880']],
  ['sort=distance&near=78219&radius=500', ['cascadia', 'cascadia126', 'silverado']],
  ['sort=distance&q=near 78219&radius=500', ['cascadia', 'cascadia126', 'silverado']],
])('available trucks come in the order asked for, else the last changed first: %s', async (params, names) => {
  const { listings } = await search(params);
  expect(listings.map(({ vin }: { vin: string }) => nameOf.get(vin))).toEqual(names);
});

test('a listing is the record of GET by VIN without price history, sources, market position, origins and reasons of quality', async () => {
  const { listings } = await search('model=Cascadia');
  const {
    price_history: _,
    sources: __,
    market_position: ___,
    origins: ____,
    ...record
  } = await account.read(listings[0].vin);
  const { score, missing } = record.quality;
  expect(listings).toEqual([{ ...record, quality: { score, missing } }]);
});

test.each<[string, string[]]>([
  ['make=Freghtliner', ['cascadia', 'cascadia126']],
  ['make=chevy,kw', ['silverado', 't680', 't880']],
  ['model=Cascadai', ['cascadia']],
  ['model=T690', []],
  ['make=kenworth&model=kenworth t-680', ['t680']],
  ['model=T680,Silverado 6500 HD', ['silverado', 't680']],
  ['transmission=Automatic', ['t880']],
  ['drivetrain=6x4&make=kenworth&body_type=dump', ['t880']],
  ['cab=cabover,daycab', ['cascadia126', 'isuzu']],
  ['cab=sleeper&q=kenworth', ['t680', 't880']],
  ['year_min=2019&year_max=2020', ['cascadia', 't680']],
  ['class=class_4,VI', ['isuzu', 'silverado']],
  ['body_type=day_cab_tractor,Dump Truck', ['cascadia126', 't880']],
  ['condition=NEW&fuel_type=gas', ['silverado']],
  ['status=sold', ['sold']],
  ['state=texas,OK', ['cascadia', 'cascadia126', 'silverado']],
  ['has_images=true', ['cascadia']],
  ['has_price=true', AVAILABLE.filter((name) => name !== 't880')],
  ['quality_min=100', []],
  ['updated_since=2020-01-01', [...AVAILABLE, 'gone', 'sold'].sort()],
  ['updated_since=2099-01-01T00:00:00%2B02:00', []],
  ['near=78219&radius=500', ['cascadia', 'cascadia126', 'silverado']],
  ['near=San Antonio, TX&radius=50', ['cascadia']],
  ['near=29.45,-98.35', ['cascadia']],
  [`dealer=${dealers.north},${dealers.south}&body_type=sleeper`, ['cascadia', 't680']],
  ['q=freightlner cascadia white', ['cascadia']],
  ['q=78219 trucks', ['cascadia']],
  ['q=2016 npr-hd', ['isuzu']],
  ['q=16 ft trucks', ['isuzu']],
  ['q=day cab within 1000 miles of 75201', ['cascadia126']],
  ['q="cascadia" %26 !(126) :* \\', ['cascadia126']],
])('%s', async (params, expected) => {
  const { listings, count } = await search(params);
  expect(listings.map(({ vin }: { vin: string }) => nameOf.get(vin)).sort()).toEqual(expected);
  expect(count).toEqual({ value: expected.length, exact: true });
});

test('a word that no truck has with the others is left out and named, except in polls', async () => {
  const { listings, understood } = await search({ q: 'kenworth zebra diesel' });
  expect(listings).not.toEqual([]);
  expect(understood).toMatchObject({ filters: { make: ['Kenworth'] }, words: [], dropped: ['zebra'] });
  const poll = await search({ q: 'kenworth zebra diesel', updated_since: '2026-01-15T09:30:00Z' });
  expect([poll.listings, poll.understood.words]).toEqual([[], ['zebra']]);
});

test('a truck is found by the end of its VIN and by its stock number', async () => {
  const truck = cleanTruck({ make: 'Volvo', stock_number: 'LS1090' });
  const others = ['LS107', 'LS109'].map((stock_number) => cleanTruck({ make: 'Volvo', stock_number }));
  await account.post({ records: [truck, ...others] });
  for (const q of [truck.vin.slice(-8), truck.vin.slice(-6).toLowerCase(), 'ls1090'])
    expect((await search({ q })).listings, q).toMatchObject([{ vin: truck.vin }]);
});

test.each([
  ['a new model', 'q=cascadia', { make: 'Freightliner', model: 'Cascadia Evolution' }],
  ['a new make', 'make=Zorbx', { make: 'Zorbx' }],
  ['a new make for a word', 'q=ottawa', { make: 'Ottawa', model: 'T2' }],
])('the second page belongs to the same search after %s: %s', async (_, params, newKind) => {
  const seller = await service.newAccount();
  const shared = { make: 'Freightliner', model: 'Cascadia' };
  const other = { make: 'Zorbex', model: 'Ottawa T2' };
  const post = (price: number, ...kinds: object[]) =>
    seller.post({ records: kinds.map((kind) => cleanTruck({ ...kind, price, gvwr: undefined })) });
  for (const price of [60_000, 70_000, 80_000]) await post(price, shared, other);
  const page = (more = '') => seller.call('GET', `/v1/inventory?${params}&sort=price&limit=2${more}`);
  const { body: first } = await page();
  await post(90_000, { ...other, ...newKind });
  const { understood, listings } = (await page(`&cursor=${first.next_cursor}`)).body;
  expect(understood).toEqual(first.understood);
  expect(listings).toMatchObject([{ price: 80_000 }]);
});

test('fields narrows the listings', async () => {
  const { listings } = await search('fields=vin,price,class&make=isuzu');
  expect(listings).toEqual([{ vin: expect.any(String), class: 'class_4', price: 24_500 }]);
});

test('facets count what was found, each value once', async () => {
  const { facets } = await search('make=freightliner,kenworth');
  expect(facets).toMatchObject({
    make: ['Freightliner', 'Kenworth'].map((value) => ({ value, count: 2 })),
    model: ['Cascadia', 'Cascadia 126', 'T680', 'T880'].map((value) => ({ value, count: 1 })),
    year: [2022, 2021, 2020, 2019].map((value) => ({ value, count: 1 })),
    price: [
      { from: 60_000, to: 75_000, count: 1 },
      { from: 75_000, to: 100_000, count: 2 },
    ],
    dealer: [
      { value: dealers.north, count: 2 },
      { value: dealers.south, count: 1 },
    ],
  });
});

test('a change by POST or PATCH is seen by the next search', async () => {
  const truck = cleanTruck({ make: 'Hino', model: 'L6', class: '6', body_type: 'reefer', price: 61_000 });
  const expectCounts = async (...counts: number[]) => {
    const queries = ['&price_max=60000', '', '&status=sold'];
    const totals = queries.map(async (more) => (await search(`make=hino${more}`)).count.value);
    expect(await Promise.all(totals)).toEqual(counts);
  };
  await account.post(truck);
  await expectCounts(0, 1, 0);
  await account.post({ ...truck, price: 59_000 });
  await expectCounts(1, 1, 0);
  await account.patch({ vin: truck.vin, status: 'sold' });
  await expectCounts(0, 0, 1);
  await account.post({ ...truck, status: 'available' });
  await expectCounts(0, 1, 0);
});
