import { expect, test } from 'vitest';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { cleanTruck, cleanTrucks } from '../../support/samples/trucks.ts';
import { startService } from '../../support/service/service.ts';

/** POST /v1/inventory with records. */

const service = await startService();
const account = await service.newAccount();

const post = (records: unknown, query = '', more: object = {}) =>
  account.call('POST', `/v1/inventory${query}`, { records, ...more });
const listOutcomes = (body: { results: { outcome: string }[] }) =>
  body.results.map(({ outcome }) => outcome).join(' ');
const isStored = async (vin: unknown) => (await account.call('GET', `/v1/inventory/${vin}`)).status === 200;

test('a batch is always 200: one result per record, in input order, and a summary that adds up', async () => {
  const [stored, newTruck, other] = cleanTrucks(3);
  await post([stored]);
  const bad = cleanTruck({ make: null });
  const records = [newTruck, bad, stored, 7, { ...stored, price: 60_000 }, other, null, [], 'text'];
  const { status, body } = await post(records);
  expect(status).toBe(200);
  expect(body.results.map(({ index }: { index: number }) => index)).toEqual(records.map((_, at) => at));
  expect(listOutcomes(body)).toBe(
    'created rejected merged rejected merged created rejected rejected rejected',
  );
  expect(body.summary).toEqual({ received: 9, created: 2, merged: 2, unchanged: 0, rejected: 5 });
  expect(body.rejects_by_code).toEqual({ MAKE_MISSING: 1, VIN_MISSING: 4 });
  expect([body.results[1].vin, body.results[3].vin]).toEqual([bad.vin, null]);
});

test('a batch of 0 or 500 records is accepted, and unchanged the second time', async () => {
  const none = { received: 0, created: 0, merged: 0, unchanged: 0, rejected: 0 };
  expect((await post([])).body).toEqual({ summary: none, rejects_by_code: {}, results: [] });
  const trucks = cleanTrucks(500);
  for (const outcome of ['created', 'unchanged']) {
    const { body } = await post(trucks, '?return=summary');
    expect(body.summary).toMatchObject({ received: 500, [outcome]: 500 });
  }
});

test('a batch of 501 is BATCH_TOO_LARGE before any record is read', async () => {
  const truck = cleanTruck();
  const error = { code: 'BATCH_TOO_LARGE', details: { received: 501, limit: 500 } };
  expect(await post([truck, ...Array(500).fill(null)])).toMatchObject({ status: 400, body: { error } });
  expect(await isStored(truck.vin)).toBe(false);
});

test.each([null, { length: 1 }, 'x'])('a batch whose records are %j is VALIDATION_ERROR', async (records) => {
  const error = { code: 'VALIDATION_ERROR', details: { field: 'records' } };
  expect(await post(records, '', { vin: cleanTruck().vin })).toMatchObject({ status: 400, body: { error } });
});

test('a source_provider_id beside records is the default, which a record’s own overrules', async () => {
  const trucks = cleanTrucks(3);
  const providers = [undefined, 'own', ' '];
  const records = trucks.map((truck, at) => ({ ...truck, source_provider_id: providers[at] }));
  await post(records, '', { source_provider_id: 'dms-9' });
  const stored = await Promise.all(trucks.map(({ vin }) => account.read(vin)));
  expect(stored.map(({ source_provider_id: provider }) => provider)).toEqual(['dms-9', 'own', 'dms-9']);
});

test('records of one truck in a batch merge in order and create it once; rejected ones take no part', async () => {
  const truck = cleanTruck({ color: 'White' });
  const { vin, year, make } = truck;
  const { body } = await post([
    { ...truck, price: 5 },
    { ...truck, mileage: 1_000 },
    { vin, year, make, class: 8, price: 70_000, engine: 'DD15' },
    { vin, year, make, class: 8, price: 65_000, color: null },
    { ...truck, make: '' },
  ]);
  expect(listOutcomes(body)).toBe('rejected created merged merged rejected');
  const { price_history, ...listing } = await account.read(vin);
  expect(listing).toMatchObject({ mileage: 1_000, engine: 'DD15', price: 65_000, color: null });
  expect(price_history).toHaveLength(1);
});

test('return=errors returns the rejects, return=summary no result; a dry run stores nothing', async () => {
  const truck = cleanTruck();
  const records = [truck, cleanTruck({ price: 1 }), { ...truck, price: 50_000 }];
  const summary = { received: 3, created: 1, merged: 1, unchanged: 0, rejected: 1 };
  const dryRun = async (view: string) => (await post(records, `?return=${view}&dry_run=true`)).body;
  const results = [{ index: 1, outcome: 'rejected' }];
  expect(await dryRun('errors')).toMatchObject({ summary, results, dry_run: true });
  const none = { summary, rejects_by_code: { PRICE_INVALID: 1 }, results: [], dry_run: true };
  expect(await dryRun('summary')).toEqual(none);
  expect(listOutcomes(await dryRun('full'))).toBe('created rejected merged');
  expect(await isStored(truck.vin)).toBe(false);
});

test('a record without a dealer belongs to the account’s only one, also one that is added later', async () => {
  const seller = await service.newAccount();
  const truck = cleanTruck();
  await seller.post(truck);
  expect((await seller.read(truck.vin)).dealer).toBeNull();
  const slug = uniqueSlug();
  await seller.call('POST', '/v1/dealers', { slug, name: 'Only' });
  expect((await seller.post(truck)).body.outcome).toBe('merged');
  expect((await seller.read(truck.vin)).dealer).toBe(slug);
});

test('named dealers are the account’s own; unknown and foreign ones warn and change nothing', async () => {
  const seller = await service.newAccount();
  const [ownSlug, second, foreign] = [uniqueSlug(), uniqueSlug(), uniqueSlug()];
  for (const slug of [ownSlug, second]) await seller.call('POST', '/v1/dealers', { slug, name: slug });
  await account.call('POST', '/v1/dealers', { slug: foreign, name: foreign });
  const dealers = [ownSlug, second.toUpperCase(), foreign, undefined];
  const records = cleanTrucks(4).map((truck, at) => ({ ...truck, dealer: dealers[at] }));
  const { results } = (await seller.post({ records })).body;
  const warned = [[], [], [{ code: 'DEALER_UNKNOWN' }], [{ code: 'DEALER_AMBIGUOUS' }]];
  expect(results).toMatchObject(warned.map((warnings) => ({ warnings })));
  const readDealer = async (vin: unknown) => (await seller.read(vin)).dealer;
  const stored = await Promise.all(records.map(({ vin }) => readDealer(vin)));
  expect(stored).toEqual([ownSlug, second, null, null]);
  for (const [change, outcome, dealer] of [
    [{ dealer: foreign }, 'unchanged', ownSlug],
    [{ dealer: undefined, price: 61_000 }, 'merged', ownSlug],
    [{ dealer: null }, 'merged', null],
  ] as const) {
    expect((await seller.post({ ...records[0], ...change })).body.outcome).toBe(outcome);
    expect(await readDealer(records[0]?.vin)).toBe(dealer);
  }
});

test.each([{ vin: 'x' }, { dealer_slug: 'x' }, { status: 'sold' }, { Currency: 'CAD' }])(
  '%j beside records is refused as a field of a record, and nothing is stored',
  async (more) => {
    const truck = cleanTruck();
    const details = { field: Object.keys(more)[0], reason: 'unknown_field' };
    const error = { code: 'VALIDATION_ERROR', details };
    expect(await post([truck], '', more)).toMatchObject({ status: 400, body: { error } });
    expect(await isStored(truck.vin)).toBe(false);
  },
);

test('an unknown member beside records is named in a warning', async () => {
  const warnings = [{ code: 'UNKNOWN_FIELD', field: 'batch_no' }];
  const more = { batch_no: 7, source_provider_id: 'a' };
  expect(await post(cleanTrucks(1), '', more)).toMatchObject({ status: 200, body: { warnings } });
});
