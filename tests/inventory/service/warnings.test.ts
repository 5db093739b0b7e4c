import { beforeEach, expect, test } from 'vitest';
import { cleanTruck, cleanTrucks } from '../../support/samples/trucks.ts';
import { setImages } from '../../support/service/database.ts';
import { startService, type TestAccount } from '../../support/service/service.ts';

/** Warnings for states that nothing else tells, and what a post takes along or clears. */

let account: TestAccount;
const service = await startService();
beforeEach(async () => {
  account = await service.newAccount();
});

const codes = ({ body }: { body: { warnings: { code: string }[] } }) => body.warnings.map(({ code }) => code);

test('a VIN that is for sale under another provider too brings a warning', async () => {
  const truck = cleanTruck({ price: 60_000 });
  await account.post({ ...truck, source_provider_id: 'dms' });
  for (const price of [undefined, 60_000, 61_000, null]) {
    const { body } = await account.post({ ...truck, price });
    expect([body.vin, codes({ body })], `at ${price}`).toEqual([truck.vin, ['LISTED_ELSEWHERE']]);
    expect(body.warnings[0].message).toContain('source_provider_id "dms", for 60,000 USD');
  }
  await account.patch({ vin: truck.vin, status: 'sold', source_provider_id: 'dms' });
  expect(codes(await account.post({ ...truck, price: 58_000 })), 'it is sold there').toEqual([]);
  await account.post({ ...truck, source_provider_id: 'north', price: 58_000, currency: 'CAD' });
  const beside = await account.post({ ...truck, price: 58_000, mileage: 1_000 });
  expect(beside.body.warnings[0].message).toContain('"north", for 58,000 CAD');
});

test('a new city, state or ZIP code drops what it contradicts', async () => {
  const truck = cleanTruck({ zip: '75201', latitude: 32.78, longitude: -96.8 });
  await account.post(truck);
  const { vin, year, make } = truck;
  await account.post({ vin, year, make, city: 'Tulsa', state: 'OK' });
  const tulsa = { city: 'Tulsa', state: 'OK', zip: null, latitude: expect.closeTo(36.15, 0), source: 'city' };
  expect((await account.read(vin)).location).toMatchObject(tulsa);
});

test('a batch of records with hundreds of faults each is answered within 4 MB', async () => {
  const faults = {
    images: Array.from({ length: 300 }, (_, at) => `not a url ${at} ${'x'.repeat(100)}`),
    mileage: 'many',
    location: 7,
    horsepower: 'x'.repeat(500),
    state: 'x'.repeat(300),
    zip: 'x'.repeat(300),
    condition: 'odd',
  };
  const dead = Array.from(
    { length: 100 },
    (_, at) => `https://img.example/${account.id}/${'d'.repeat(150)}/${at}.jpg`,
  );
  const truck = cleanTruck({ images: dead });
  await account.post(truck);
  await setImages(account.id, dead, 'failed');
  const { body } = await account.post({ ...truck, price: 61_000 });
  const message = expect.stringContaining('http_404');
  expect(body.warnings).toEqual(Array(100).fill({ code: 'IMAGE_FAILED', field: 'images', message }));
  expect(body.quality.missing).toContain('images');
  const records = [{ ...truck, price: 62_000 }, ...cleanTrucks(60, faults)];
  const batch = await account.post({ records });
  expect(batch.status).toBe(200);
  const [first] = batch.body.results;
  expect(codes({ body: first })).toEqual([...Array(5).fill('IMAGE_FAILED'), 'WARNINGS_OMITTED']);
  expect(first.warnings.at(-1).message).toContain('95 more');
  expect((batch.bytes.length / records.length) * 500).toBeLessThan(4_000_000);
});
