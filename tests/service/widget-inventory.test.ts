import { beforeAll, expect, test } from 'vitest';
import { uniqueSlug } from '../support/samples.ts';
import { goodTruck, startService, type TestAccount, type TestService } from '../support/service.ts';

/** What visitors see of a dealer's trucks. */

let service: TestService;
let account: TestAccount;
let dealer: string;
const trucks = [
  { price: 40_000, model: 'Cascadia', year: 2018, body_type: 'day cab', mileage: 600_000 },
  { price: 60_000, model: 'Cascadia', year: 2020, description: 'internal words quetzal', mileage: 300_000 },
  { price: null, make: 'Isuzu', model: 'NPR', class: 'class_4', gvwr: 14_500, body_type: 'box truck' },
].map((change) => goodTruck({ ...change, stock_number: 'Squetzal', cost_internal: 'quetzal' }));

/** The same seller's, at another of its dealers. */
const nextDoor = goodTruck();

beforeAll(async () => {
  service = await startService();
  account = await service.newAccount();
  dealer = uniqueSlug();
  const other = uniqueSlug();
  for (const slug of [dealer, other]) await account.call('POST', '/v1/dealers', { slug, name: 'X' });
  const records = [
    ...trucks.map((truck) => ({ ...truck, dealer })),
    { ...goodTruck(), dealer, status: 'sold' },
    { ...goodTruck(), dealer, status: 'delisted' },
    { ...nextDoor, dealer: other },
  ];
  const listed = records.map((record) => ({ ...record, status: 'available' }));
  const posted = await account.call('POST', '/v1/inventory', { records: listed });
  await account.call('POST', '/v1/inventory', { records });
  expect(posted.body.summary.created, posted.text).toBe(6);
});

const browse = (query = '') =>
  account.call('GET', `/v1/widget/inventory?dealerSlug=${dealer}&visitorId=v-1${query}`);
const vinsOf = async (query: string) => {
  const { status, text, body } = await browse(query);
  expect(status, text).toBe(200);
  return body.vehicles.map(({ vin }: { vin: string }) => vin).sort();
};
const vins = (...of: (Record<string, unknown> | undefined)[]) => of.map((truck) => truck?.vin).sort();

test('the dealer’s available trucks and nobody else’s, as cards without anything internal', async () => {
  const { body, text, headers } = await browse();
  expect(body.vehicles.map(({ vin }: { vin: string }) => vin).sort()).toEqual(vins(...trucks));
  expect(body).toMatchObject({
    count: { value: 3, exact: true },
    nextCursor: null,
    visit: expect.any(String),
  });
  expect(text).not.toMatch(/quetzal|dedup|quality|source_provider/);
  expect(headers.get('cache-control')).toBe('private, max-age=30');
  expect(body.vehicles.find(({ vin }: { vin: string }) => vin === trucks[0]?.vin)).toEqual({
    ...{ vin: trucks[0]?.vin, title: '2018 Freightliner Cascadia', year: 2018, make: 'Freightliner' },
    ...{ model: 'Cascadia', price: 40_000, mileage: 600_000, class: 'class_8', bodyType: 'day_cab_tractor' },
    ...{ condition: null, status: 'available', location: null, image: null, url: null },
  });
});

test('is searched as the inventory is, under names in camelCase', async () => {
  const [cheap, dear, isuzu] = trucks;
  expect(await vinsOf('&q=isuzu')).toEqual(vins(isuzu));
  expect(await vinsOf('&make=Freightliner')).toEqual(vins(cheap, dear));
  expect(await vinsOf('&priceMin=50000')).toEqual(vins(dear));
  expect(await vinsOf('&priceMax=50000')).toEqual(vins(cheap));
  expect(await vinsOf('&yearMin=2020&yearMax=2020')).toEqual(vins(dear));
  expect(await vinsOf('&mileageMax=300000')).toEqual(vins(dear));
  expect(await vinsOf('&bodyType=Box%20Truck&class=4')).toEqual(vins(isuzu));
  expect(await vinsOf(`&vin=${String(dear?.vin).toLowerCase()}`)).toEqual(vins(dear));
});

test('pages go on where the last one ended', async () => {
  const first = await browse('&limit=2&sort=price');
  const { vehicles } = first.body;
  expect(vehicles.map(({ price }: { price: number | null }) => price)).toEqual([40_000, 60_000]);
  const rest = await browse(`&limit=2&sort=price&cursor=${first.body.nextCursor}`);
  expect(rest.body.vehicles.map(({ price }: { price: number | null }) => price)).toEqual([null]);
  expect(rest.body.nextCursor).toBeNull();
});

test('one truck by VIN: of this dealer and available, or none', async () => {
  const sold = goodTruck({ dealer, status: 'sold' });
  const foreign = await service.newAccount();
  const theirs = goodTruck();
  await account.call('POST', '/v1/inventory', { records: [{ ...sold, status: 'available' }, sold] });
  await foreign.call('POST', '/v1/inventory', theirs);
  for (const vin of [sold.vin, theirs.vin, nextDoor.vin, '1FUJGLDR0HZZZZZZZ'])
    expect((await browse(`&vin=${vin}`)).body).toMatchObject({
      vehicles: [],
      count: { value: 0, exact: true },
    });
});

test.each([
  ['priceMin', '&priceMin=many'],
  ['priceMin', '&priceMin=9&priceMax=1'],
  ['class', '&class=99'],
  ['limit', '&limit=25'],
  ['vin', '&vin=short'],
  ['vin', '&vin=1FUJGLDR0HZZZZZZZ&q=x'],
  ['cursor', '&cursor=x'],
  ['sort', '&sort=relevance'],
  ['status', '&status=sold'],
  ['dealer', '&dealer=other'],
  ['fields', '&fields=vin'],
])('a bad %s is INVALID_PARAMS under its own name: %s', async (field, query) => {
  const { status, body } = await browse(query);
  expect([status, body.error.code, body.error.details.field]).toEqual([400, 'INVALID_PARAMS', field]);
});
