import { describe, expect, test } from 'vitest';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { startService } from '../../support/service/service.ts';

/** PATCH /v1/inventory. */

const service = await startService();
const account = await service.newAccount();

const posted = async () => {
  const truck = cleanTruck();
  await account.post(truck);
  return truck.vin;
};

test('dry_run answers as the real change would and changes nothing', async () => {
  const vin = await posted();
  const path = '/v1/inventory?dry_run=true';
  const dry = await account.call('PATCH', path, { vin, status: 'sold' });
  const change = { vin, status: 'sold', previous_status: 'available', updated: 1 };
  expect([dry.status, dry.body]).toEqual([200, { ...change, dry_run: true }]);
  expect((await account.read(vin)).status).toBe('available');
  const absent = await account.call('PATCH', path, { vin: cleanTruck().vin, status: 'sold' });
  expect(absent.status).toBe(404);
  expect((await account.patch({ vin, status: 'sold' })).body).toEqual(change);
});

test('the VIN is normalised as on posting', async () => {
  const vin = await posted();
  const spelled = ` ${vin.slice(0, 5).toLowerCase()}-${vin.slice(5, 11)} ${vin.slice(11)} `;
  expect((await account.patch({ vin: spelled, status: 'sold' })).body).toMatchObject({
    vin,
    status: 'sold',
    updated: 1,
  });
});

test('all listings of the VIN change, unless source_provider_id narrows it', async () => {
  const truck = cleanTruck();
  for (const source_provider_id of ['a', 'b', undefined])
    await account.post({ ...truck, source_provider_id });
  const statuses = async () =>
    Object.fromEntries(
      (await account.read(truck.vin)).sources.map(
        (source: { source_provider_id: string | null; status: string }) => [
          source.source_provider_id ?? '',
          source.status,
        ],
      ),
    );
  const one = await account.patch({ vin: truck.vin, status: 'delisted', source_provider_id: ' a ' });
  expect(one.body).toMatchObject({ updated: 1, previous_status: 'available' });
  expect(await statuses()).toEqual({ a: 'delisted', b: 'available', '': 'available' });
  const none = await account.patch({ vin: truck.vin, status: 'delisted', source_provider_id: '' });
  expect(none.body.updated).toBe(1);
  expect(await statuses()).toEqual({ a: 'delisted', b: 'available', '': 'delisted' });
  const named = await account.patch({ vin: truck.vin, status: 'sold', source_provider_id: null });
  expect(named.body).toMatchObject({ updated: 1, previous_status: 'delisted' });
  expect(await statuses()).toEqual({ a: 'delisted', b: 'available', '': 'sold' });
  const all = await account.patch({ vin: truck.vin, status: 'sold' });
  expect(all.body).toMatchObject({ updated: 2, previous_status: 'available' });
  expect(await statuses()).toEqual({ a: 'sold', b: 'sold', '': 'sold' });
  const unknown = await account.patch({ vin: truck.vin, status: 'sold', source_provider_id: 'nobody' });
  expect(unknown.status).toBe(404);
});

test('a provider that does not list the VIN is NOT_FOUND, with those of the account that do', async () => {
  const truck = cleanTruck();
  for (const source_provider_id of ['dms', undefined]) await account.post({ ...truck, source_provider_id });
  const sale = { vin: truck.vin, status: 'sold', source_provider_id: 'dmz' };
  const field = { field: 'source_provider_id', received: 'dmz', allowed: [null, 'dms'] };
  const wrong = await account.patch(sale);
  expect([wrong.status, wrong.body.error.details]).toMatchObject([404, field]);
  expect(wrong.body.error.details.fix).toContain('no source_provider_id, source_provider_id "dms"');
  const bulk = await account.patch({ records: [sale] });
  expect(bulk.body.results[0].error.details).toMatchObject(field);
  for (const record of [sale, { ...truck, ...sale }]) {
    expect((await account.post(record)).body.error.details).toMatchObject(field);
    const { body } = await account.post({ records: [record] });
    expect(body.results[0]).toMatchObject({ outcome: 'not_found', error: { details: field } });
  }
  const other = await service.newAccount();
  const foreign = (await other.patch(sale)).body.error.details;
  expect(foreign).toEqual((await other.patch({ ...sale, vin: cleanTruck().vin })).body.error.details);
});

test('a provider that is a number is the one that was posted as a number', async () => {
  const truck = cleanTruck({ source_provider_id: 4711 });
  await account.post(truck);
  expect(
    (await account.patch({ vin: truck.vin, status: 'sold', source_provider_id: 4711 })).body.updated,
  ).toBe(1);
  expect(
    (await account.patch({ vin: truck.vin, status: 'delisted', source_provider_id: '4711' })).body.updated,
  ).toBe(1);
});

test.each(['x\u0000', 'caf\u0065\u0301', 'two  blanks', '\ud800', `${'p'.repeat(200)}`])(
  'a provider spelled %j is found under the spelling it was posted with',
  async (source_provider_id) => {
    const truck = cleanTruck({ source_provider_id });
    expect((await account.post(truck)).status).toBe(201);
    expect((await account.patch({ vin: truck.vin, status: 'sold', source_provider_id })).status).toBe(200);
  },
);

describe('what is refused', () => {
  const refusal = async (body: unknown) => {
    const answer = await account.patch(body);
    return [answer.status, answer.body.error.code];
  };

  test.each([undefined, null, 'available', 'SOLD', 'Sold ', '', 7, true, {}, ['sold']])(
    'the status %j is INVALID_STATUS, also for a VIN nobody has',
    async (status) => {
      expect(await refusal({ vin: await posted(), status })).toEqual([400, 'INVALID_STATUS']);
      expect(await refusal({ vin: cleanTruck().vin, status })).toEqual([400, 'INVALID_STATUS']);
    },
  );

  test.each([undefined, null, '', '  ', 7, {}, ['x']])('the VIN %j is INVALID_PAYLOAD', async (vin) => {
    expect(await refusal({ vin, status: 'sold' })).toEqual([400, 'INVALID_PAYLOAD']);
    expect(await refusal({ vin, status: 'nonsense' })).toEqual([400, 'INVALID_PAYLOAD']);
  });

  test.each([
    ['VIN', 'status', 'INVALID_PAYLOAD'],
    ['vehicle_identification_number', 'status', 'INVALID_PAYLOAD'],
    ['vin', 'Status', 'INVALID_STATUS'],
  ])('%s and %s: the name that is not known is named', async (vinName, statusName, code) => {
    const change = { [vinName]: cleanTruck().vin, [statusName]: 'sold' };
    const { status, body } = await account.patch(change);
    expect([status, body.error.code]).toEqual([400, code]);
    const field = vinName === 'vin' ? statusName : vinName;
    expect(body.error.details).toMatchObject({ field, reason: 'unknown_field' });
    expect(body.error.details.fix).toContain(`Send it as ${field === vinName ? 'vin' : 'status'}`);
  });

  test('absent, foreign, short and long VINs are NOT_FOUND in the same bytes', async () => {
    const other = await service.newAccount();
    const foreign = cleanTruck();
    await other.post(foreign);
    const vins = [
      cleanTruck().vin,
      foreign.vin,
      'SHORT',
      `${foreign.vin}9`,
      'x'.repeat(5_000),
      '\u0000',
      '🚚🚚',
    ];
    const answers = await Promise.all(vins.map((vin) => account.patch({ vin, status: 'sold' })));
    expect(answers[0]?.status).toBe(404);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await other.read(foreign.vin)).status).toBe('available');
  });
});
