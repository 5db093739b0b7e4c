import { describe, expect, test } from 'vitest';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { startService } from '../../support/service/service.ts';
import { useStore } from '../../support/service/store.ts';

/** A change of status: by PATCH, by a post of VIN and status, and beside the posted record of a truck that is gone. */

const service = await startService();
const account = await service.newAccount();

/** Lists a truck under these providers; undefined: under none. */
async function listTruck(...providers: (string | undefined)[]) {
  const truck = cleanTruck();
  for (const source_provider_id of providers) await account.post({ ...truck, source_provider_id });
  return truck;
}

const readStatuses = async (vin: string) =>
  (await account.read(vin)).sources
    .map(({ source_provider_id: provider, status }: Record<string, string>) => `${provider}: ${status}`)
    .sort();

const toChange = (vin: string, previous_status: string, status: string, updated: number) => ({
  vin,
  status,
  previous_status,
  updated,
});

describe.each([
  ['PATCH', 'PATCH', { status: 'sold' }],
  ['a post of VIN and status', 'POST', { status: 'Sold 11/02' }],
])('%s', (_, method, expected) => {
  const send = (vin: string, more: object = {}, query = '') =>
    account.call(method, `/v1/inventory${query}`, { ...expected, vin, ...more });

  test('changes every listing of the VIN and nothing else, and a dry run none', async () => {
    const { vin, price } = await listTruck(undefined, 'dms');
    const both = toChange(vin, 'available', 'sold', 2);
    expect((await send(vin, {}, '?dry_run=true')).body).toEqual({ ...both, dry_run: true });
    expect(await readStatuses(vin)).toEqual(['dms: available', 'null: available']);
    expect(await send(vin)).toMatchObject({ status: 200, body: both });
    expect(await readStatuses(vin)).toEqual(['dms: sold', 'null: sold']);
    expect((await account.read(vin)).price).toBe(price);
    expect((await send(vin)).body).toEqual(toChange(vin, 'sold', 'sold', 0));
  });

  test('is narrowed to a provider, null and blank to the listing without one', async () => {
    const { vin } = await listTruck(undefined, 'dms', 'site');
    expect((await send(vin, { source_provider_id: null })).body.updated).toBe(1);
    expect((await send(vin, { source_provider_id: '' })).body.updated).toBe(0);
    expect(await readStatuses(vin)).toEqual(['dms: available', 'null: sold', 'site: available']);
    expect((await send(vin, { source_provider_id: ' dms ' })).body.updated).toBe(1);
    expect(await readStatuses(vin)).toEqual(['dms: sold', 'null: sold', 'site: available']);
  });

  test('is NOT_FOUND for a VIN that is not listed, and for a provider that does not list it', async () => {
    const { vin } = await listTruck(undefined, 'dms');
    const answer = await send(vin, { source_provider_id: 'dmz' });
    const details = { field: 'source_provider_id', received: 'dmz' };
    expect([answer.status, answer.body.error.details]).toMatchObject([404, details]);
    expect(answer.body.error.details.fix).toContain('leave source_provider_id out');
    const absent = cleanTruck().vin;
    const records = [
      { ...expected, vin, source_provider_id: 'dmz' },
      { ...expected, vin: absent },
      { ...expected, vin },
    ];
    const { body } = await account.call(method, '/v1/inventory', { records });
    expect(body).toMatchObject({
      summary: { received: 3, updated: 1, not_found: 2 },
      results: [
        { outcome: 'not_found', error: answer.body.error },
        { outcome: 'not_found', vin: absent, previous_status: null, updated: 0 },
        { outcome: 'updated', ...toChange(vin, 'available', 'sold', 2) },
      ],
    });
  });
});

test('a record posted as sold is stored, changes all listings of its VIN, and lists nothing', async () => {
  const truck = await listTruck(undefined, 'dms');
  const sale = { ...truck, status: 'Vendido', price: 64_900 };
  const expected = { status: 200, body: { outcome: 'merged', status: 'sold' } };
  expect(await account.post(sale, '?dry_run=true')).toMatchObject(expected);
  expect(await readStatuses(truck.vin)).toEqual(['dms: available', 'null: available']);
  expect(await account.post(sale)).toMatchObject(expected);
  expect(await readStatuses(truck.vin)).toEqual(['dms: sold', 'null: sold']);
  expect((await account.post(sale)).body.outcome).toBe('unchanged');
  await account.post({ ...truck, source_provider_id: 'dms', status: 'available' });
  expect((await account.post(sale)).body.outcome, 'it changes another’s').toBe('merged');
  const absent = { ...cleanTruck(), status: 'sold' };
  expect((await account.post(absent)).status).toBe(404);
  const one = { ...truck, source_provider_id: 'dmz', status: 'sold' };
  const { body: batch } = await account.post({ records: [absent, one] });
  expect(batch.summary).toMatchObject({ received: 2, created: 0, not_found: 2 });
  expect(batch.results[1].error.details.field).toBe('source_provider_id');
});

test('trucks and changes of status in one batch take effect in order', async () => {
  const truck = cleanTruck();
  const { vin } = truck;
  const twice = await listTruck(undefined, 'dms');
  const { body } = await account.post({
    records: [
      { vin, status: 'sold' },
      truck,
      { vin, status: 'delisted' },
      { ...truck, price: 61_000 },
      { ...twice, status: 'sold' },
      { vin, status: 'sold' },
      { ...twice, source_provider_id: 'dms', status: 'available' },
      { vin, status: 'available' },
    ],
  });
  const outcomes = body.results.map(({ outcome }: { outcome: string }) => outcome);
  expect(outcomes.join(' ')).toBe('not_found created updated merged merged updated merged updated');
  expect(body.results[5]).toEqual({ index: 5, outcome: 'updated', ...toChange(vin, 'available', 'sold', 1) });
  const summary = { created: 1, merged: 3, unchanged: 0, rejected: 0, updated: 3, not_found: 1 };
  expect(body.summary).toEqual({ received: 8, ...summary });
  // VIN and status alone bring a sold truck back.
  expect(await account.read(vin)).toMatchObject({ status: 'available', sold_at: null });
  expect(await readStatuses(twice.vin)).toEqual(['dms: available', 'null: sold']);
});

test.each([4711, 'x\u0000', 'caf\u0065\u0301', 'two  blanks', '\ud800', `${'p'.repeat(200)}`])(
  'a provider spelled %j is found under the spelling it was posted with',
  async (source_provider_id) => {
    const truck = cleanTruck({ source_provider_id });
    expect((await account.post(truck)).status).toBe(201);
    expect((await account.patch({ vin: truck.vin, status: 'sold', source_provider_id })).status).toBe(200);
  },
);

test('a change of one provider’s listing does not wait for the others of its VIN', async () => {
  const { vin } = await listTruck('a', 'b');
  const { sql } = await useStore();
  await sql.transaction(async (other) => {
    const text = `select 1 from listings where account_id = $1 and vin = $2 and source_provider_id = 'b' for update`;
    await other.query({ text }, [account.id, vin]);
    expect((await account.patch({ vin, status: 'sold', source_provider_id: 'a' })).status).toBe(200);
  });
  expect(await readStatuses(vin)).toEqual(['a: sold', 'b: available']);
});

describe('what is refused', () => {
  const { vin } = cleanTruck();
  const slip = (field: string, knownName: string) => ({
    field,
    reason: 'unknown_field',
    fix: expect.stringContaining(`Send it as ${knownName}`),
  });

  test.each([
    ...[undefined, null, 'available', 'SOLD', 7, ['sold']].map((status) => [
      { vin, status },
      'INVALID_STATUS',
      { field: 'status' },
    ]),
    ...[undefined, null, '', '  ', 7, {}, ['x']].map((value) => [
      { vin: value, status: 'nonsense' },
      'INVALID_PAYLOAD',
      { field: 'vin' },
    ]),
    [{ VIN: vin, status: 'sold' }, 'INVALID_PAYLOAD', slip('VIN', 'vin')],
    [{ vin, Status: 'sold' }, 'INVALID_STATUS', slip('Status', 'status')],
  ] as [object, string, object][])('%j by PATCH is %s', async (record, code, details) => {
    const { status, body } = await account.patch(record);
    expect([status, body.error]).toMatchObject([400, { code, details }]);
  });

  test.each(['pending', '', null, 5, ['sold']])(
    'the status %j posted with a VIN alone is INVALID_STATUS',
    async (status) => {
      const error = { code: 'INVALID_STATUS', details: { allowed: ['available', 'sold', 'delisted'] } };
      const alone = await account.post({ VIN: vin, status, source_provider_id: 'a' });
      expect(alone).toMatchObject({ status: 400, body: { error } });
      const batch = await account.post({ records: [{ vin, status }, cleanTruck()] });
      expect(batch.body).toMatchObject({
        summary: { received: 2, created: 1, rejected: 1 },
        rejects_by_code: { INVALID_STATUS: 1 },
        results: [{ outcome: 'rejected', vin, error: { code: error.code } }, { outcome: 'created' }],
      });
    },
  );

  test('absent, foreign, short and long VINs are NOT_FOUND in the same bytes, with a provider too', async () => {
    const other = await service.newAccount();
    const foreign = cleanTruck();
    await other.post(foreign);
    const vins = [vin, foreign.vin, 'SHORT', `${foreign.vin}9`, 'x'.repeat(5_000), '\u0000', '🚚🚚'];
    const withProvider = vins.map((each) => ({ vin: each, source_provider_id: 'dmz' }));
    const answers = await Promise.all(
      [...withProvider, ...vins.map((each) => ({ vin: each }))].map((change) =>
        account.patch({ ...change, status: 'sold' }),
      ),
    );
    expect(answers[0]?.status).toBe(404);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await other.read(foreign.vin)).status).toBe('available');
  });
});
