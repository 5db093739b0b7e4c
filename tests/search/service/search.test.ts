import { describe, expect, test } from 'vitest';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { startService } from '../../support/service/service.ts';

/** GET /v1/inventory: what each parameter finds. */

const DEFAULTS = { class: 'Class 8', condition: 'used', fuel_type: 'dsl' };

/** VIN → name of the truck in this file. */
const nameOf = new Map<string, string>();

const TRUCKS: Record<string, Record<string, unknown>> = {
  cascadia: {
    year: 2019,
    make: 'Freightliner',
    model: 'Cascadia',
    body_type: 'Sleeper',
    price: 68_900,
    mileage: 412_350,
    zip: '78219',
    color: 'White',
    stock_number: 'U10482',
    images: ['https://dealer.example/1.jpg'],
    description: 'One owner, full history.',
    dealer: 'north-yard',
  },
  cascadia126: {
    year: 2021,
    make: 'FRHT',
    model: 'Cascadia 126',
    body_type: 'Day Cab',
    price: 90_000,
    mileage: 250_000,
    zip: '75201',
    dealer: 'north-yard',
  },
  t680: {
    year: 2020,
    make: 'KW',
    model: 'T680',
    body_type: 'sleeper',
    price: 85_000,
    mileage: 300_000,
    zip: '90001',
    dealer: 'south-yard',
  },
  t880: {
    year: 2022,
    make: 'Kenworth',
    model: 'T880',
    body_type: 'dump',
    transmission: 'Allison 4500 RDS',
    drivetrain: 'Tandem axle',
    price: null,
    mileage: 90_000,
    state: 'CA',
    city: 'Los Angeles',
  },
  silverado: {
    year: 2024,
    make: 'chevy',
    model: 'Silverado 6500HD',
    class: '6',
    body_type: 'flatbed',
    price: 72_000,
    mileage: 1_200,
    condition: 'new',
    fuel_type: 'gas',
    zip: '73101',
    images: ['https://dealer.example/2.jpg'],
  },
  isuzu: { year: 2016, make: 'ISUZU', model: 'NPR-HD', class: '4', body_type: 'box truck', price: 24_500 },
  kalmar: { year: 2018, make: 'KALMAR', model: 'Ottawa T2', body_type: 'yard spotter', price: 60_000 },
  sold: { year: 2017, make: 'Mack', model: 'Anthem', body_type: 'sleeper', price: 50_000, status: 'sold' },
  gone: { year: 2015, make: 'Mack', model: 'Granite', body_type: 'mixer', price: 40_000, status: 'delisted' },
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
  const posted = await account.post({ ...truck, status: 'available' });
  expect(posted.status, posted.text).toBe(201);
  if (fields.status) await account.post(truck);
  // A foreign truck that every search would find as well.
  await other.post({ ...truck, dealer: undefined });
}

const query = (params: string | Record<string, string>) => `/v1/inventory?${new URLSearchParams(params)}`;

async function search(params: string | Record<string, string>) {
  const answer = await account.call('GET', query(params));
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** Names of the trucks that a search finds, sorted. */
async function found(params: string | Record<string, string>): Promise<string[]> {
  const { listings, count } = await search(params);
  const names = listings.map(({ vin }: { vin: string }) => nameOf.get(vin));
  expect(count).toEqual({ value: names.length, exact: true });
  return names.sort();
}

const AVAILABLE = ['cascadia', 'cascadia126', 'isuzu', 'kalmar', 'silverado', 't680', 't880'];

test('without parameters every available truck of the account is found, the last changed first', async () => {
  const { listings } = await search('');
  expect(listings.map(({ vin }: { vin: string }) => nameOf.get(vin))).toEqual([
    'kalmar',
    'isuzu',
    'silverado',
    't880',
    't680',
    'cascadia126',
    'cascadia',
  ]);
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

describe('filters', () => {
  test.each<[string, string[]]>([
    ['make=Freightliner', ['cascadia', 'cascadia126']],
    ['make=Freghtliner', ['cascadia', 'cascadia126']],
    ['make=chevy,kw', ['silverado', 't680', 't880']],
    ['make=Kallmar', ['kalmar']],
    ['model=Cascadai', ['cascadia']],
    ['model=T690', []],
    ['model=CASCADIA-126', ['cascadia126']],
    ['make=kenworth&model=kenworth t-680', ['t680']],
    ['model=T680,Silverado 6500 HD', ['silverado', 't680']],
    ['transmission=Automatic', ['t880']],
    ['drivetrain=6x4&make=kenworth&body_type=dump', ['t880']],
    ['cab=day cab', ['cascadia126']],
    ['cab=cabover,daycab', ['cascadia126', 'isuzu']],
    ['cab=sleeper&q=kenworth', ['t680', 't880']],
    ['year_min=2019&year_max=2020', ['cascadia', 't680']],
    ['class=class_4,VI', ['isuzu', 'silverado']],
    ['body_type=Sleeper', ['cascadia', 't680']],
    ['body_type=day_cab_tractor,Dump Truck', ['cascadia126', 't880']],
    ['condition=NEW', ['silverado']],
    ['fuel_type=gas', ['silverado']],
    ['status=sold', ['sold']],
    ['state=texas', ['cascadia', 'cascadia126']],
    ['state=CA,OK', ['silverado', 't680', 't880']],
    ['has_images=true', ['cascadia', 'silverado']],
    ['has_price=true', AVAILABLE.filter((name) => name !== 't880')],
    ['quality_min=100', []],
    ['updated_since=2020-01-01', [...AVAILABLE, 'gone', 'sold'].sort()],
    ['updated_since=2099-01-01T00:00:00%2B02:00', []],
    ['near=78219&radius=10', ['cascadia']],
    ['near=78219&radius=500', ['cascadia', 'cascadia126', 'silverado']],
    ['near=San Antonio, TX&radius=50', ['cascadia']],
    ['near=san antonio texas&radius=50', ['cascadia']],
    ['near=29.45,-98.35', ['cascadia']],
    ['near=29.45,-98.35&radius=1000&body_type=sleeper', ['cascadia']],
  ])('%s', async (params, expected) => {
    expect(await found(params)).toEqual(expected);
  });

  test('by dealer', async () => {
    expect(await found({ dealer: dealers.north })).toEqual(['cascadia', 'cascadia126']);
    expect(await found({ dealer: `${dealers.north},${dealers.south}`, body_type: 'sleeper' })).toEqual([
      'cascadia',
      't680',
    ]);
  });
});

describe('full text', () => {
  test.each<[string, string[]]>([
    ['cascadia 126', ['cascadia126']],
    ['freightlner cascadia white', ['cascadia']],
    ['silvrado flatbed 2024', ['silverado']],
    ['78219 trucks', ['cascadia']],
    ['2016 npr-hd', ['isuzu']],
    ['"cascadia" & !(126) :* \\', ['cascadia126']],
  ])('q=%s', async (q, expected) => {
    expect(await found({ q })).toEqual(expected);
  });
});

describe('order', () => {
  const inOrder = async (params: string) =>
    (await search(params)).listings.map(({ vin }: { vin: string }) => nameOf.get(vin));

  test.each<[string, string[]]>([
    ['sort=-price', ['cascadia126', 't680', 'silverado', 'cascadia', 'kalmar', 'isuzu', 't880']],
    ['sort=distance&near=78219&radius=500', ['cascadia', 'cascadia126', 'silverado']],
  ])('%s', async (params, expected) => {
    expect(await inOrder(params)).toEqual(expected);
  });
});

describe('the answer says how q was read', () => {
  test('a word that nothing has together with the others is left out and named', async () => {
    const { listings, understood } = await search({ q: 'kenworth zebra diesel' });
    expect(listings.length).toBeGreaterThan(0);
    expect(understood).toMatchObject({ filters: { make: ['Kenworth'] }, words: [], dropped: ['zebra'] });
    const poll = await search({ q: 'kenworth zebra diesel', updated_since: '2026-01-15T09:30:00Z' });
    expect([poll.listings, poll.understood.words]).toEqual([[], ['zebra']]);
  });
});

test('a truck is found by the end of its VIN and by its stock number', async () => {
  const own = await service.newAccount();
  const records = ['LS107', 'LS109', 'LS1090'].map((stock_number) => cleanTruck({ stock_number }));
  await own.post({ records });
  const stocks = async (q: string) =>
    (await own.call('GET', `/v1/inventory?q=${encodeURIComponent(q)}`)).body.listings.map(
      ({ stock_number }: { stock_number: string }) => stock_number,
    );
  for (const { vin, stock_number } of records)
    for (const end of [vin.slice(-8), vin.slice(-6).toLowerCase()])
      expect(await stocks(end)).toEqual([stock_number]);
  expect(await stocks('ls1090')).toEqual(['LS1090']);
});

test('a trailer among the trucks does not stand for all that its model sounds like', async () => {
  const own = await service.newAccount();
  const trailer = { vin: '1GRAA0623JB112233', year: 2018, make: 'Utility', model: "Reefer trailer 53'" };
  const boxes = [26, 24].map((feet) =>
    cleanTruck({ make: 'Hino', model: '268', body_type: 'Reefer', body_length: feet, gvwr: undefined }),
  );
  await own.post({ records: [trailer, ...boxes, cleanTruck({ body_length: undefined })] });
  const count = async (q: string) => (await own.call('GET', `/v1/inventory?q=${q}`)).body.count.value;
  expect([await count('reefer'), await count('26 ft reefer'), await count("26'")]).toEqual([2, 1, 1]);
});

test.each([
  ['a new model', 'q=cascadia', { make: 'Freightliner', model: 'Cascadia Evolution' }],
  ['a new make', 'make=Zorbx', { make: 'Zorbx', model: 'Ottawa T2' }],
  ['a new make for a word', 'q=ottawa', { make: 'Ottawa', model: 'T2' }],
])('the second page is of the same search when %s has come between: %s', async (_, params, added) => {
  const own = await service.newAccount();
  const trucks = ['Cascadia', 'Ottawa T2'].flatMap((model) =>
    [60_000, 70_000, 80_000].map((price) =>
      cleanTruck({ make: model === 'Cascadia' ? 'Freightliner' : 'Zorbex', model, price, gvwr: undefined }),
    ),
  );
  await own.post({ records: trucks });
  const page = (more: string) => own.call('GET', `/v1/inventory?${params}&sort=price&limit=2${more}`);
  const first = await page('');
  await own.post(cleanTruck({ ...added, price: 90_000, gvwr: undefined }));
  const second = await page(`&cursor=${first.body.next_cursor}`);
  expect(second.status, second.text).toBe(200);
  expect(second.body.understood).toEqual(first.body.understood);
  expect(second.body.listings.map(({ price }: { price: number }) => price)).toEqual([80_000]);
});

test('fields narrows the listings', async () => {
  const { listings } = await search('fields=vin,price,class&make=isuzu');
  expect(listings).toEqual([{ vin: expect.any(String), class: 'class_4', price: 24_500 }]);
});

test('facets count what was found, each value once, models only when a make is chosen', async () => {
  const { facets } = await search('make=freightliner,kenworth');
  expect(facets).toMatchObject({
    status: [{ value: 'available', count: 4 }],
    make: [
      { value: 'Freightliner', count: 2 },
      { value: 'Kenworth', count: 2 },
    ],
    model: ['Cascadia', 'Cascadia 126', 'T680', 'T880'].map((value) => ({ value, count: 1 })),
    body_type: [
      { value: 'sleeper_tractor', count: 2 },
      { value: 'day_cab_tractor', count: 1 },
      { value: 'dump', count: 1 },
    ],
    class: [{ value: 'class_8', count: 4 }],
    year: [2022, 2021, 2020, 2019].map((value) => ({ value, count: 1 })),
    price: [
      { from: 60_000, to: 75_000, count: 1 },
      { from: 75_000, to: 100_000, count: 2 },
    ],
    state: [
      { value: 'CA', count: 2 },
      { value: 'TX', count: 2 },
    ],
    dealer: [
      { value: dealers.north, count: 2 },
      { value: dealers.south, count: 1 },
    ],
  });
});

test('a change by POST or PATCH is seen by the next search', async () => {
  const truck = cleanTruck({ make: 'Hino', model: 'L6', class: '6', body_type: 'reefer', price: 61_000 });
  const hinos = async (more: string) => (await search(`make=hino&${more}`)).count.value;
  const count = async () => [await hinos('price_max=60000'), await hinos(''), await hinos('status=sold')];
  expect(await count()).toEqual([0, 0, 0]);
  await account.post(truck);
  expect(await count()).toEqual([0, 1, 0]);
  await account.post({ ...truck, price: 59_000 });
  expect(await count()).toEqual([1, 1, 0]);
  await account.patch({ vin: truck.vin, status: 'sold' });
  expect(await count()).toEqual([0, 0, 1]);
  await account.post({ ...truck, status: 'available' });
  expect(await count()).toEqual([0, 1, 0]);
});
