import { expect, test } from 'vitest';
import * as fc from '../../support/oracles/fast-check.ts';
import { searchFaults } from '../../support/oracles/search-recount.ts';
import { cleanTruck, cleanTrucks } from '../../support/samples/trucks.ts';
import { startService } from '../../support/service/service.ts';

/** PATCH /v1/inventory with records. */

const service = await startService();
const account = await service.newAccount();

const patch = (records: unknown, more: object = {}, query = '') =>
  account.call('PATCH', `/v1/inventory${query}`, { records, ...more });
type Source = Record<'source_provider_id' | 'status', string | null>;

test('one result per record in order: updated, unchanged, not found and rejected, each with its code', async () => {
  const [soldTruck, untouched] = cleanTrucks(2);
  await account.post({ records: [soldTruck, untouched] });
  const vin = untouched?.vin;
  const spelledVin = ` ${soldTruck?.vin.slice(0, 5).toLowerCase()}-${soldTruck?.vin.slice(5, 11)} ${soldTruck?.vin.slice(11)} `;
  const { status, body } = await patch([
    { vin: spelledVin, status: 'sold' },
    { vin: soldTruck?.vin, status: 'sold' },
    { vin: cleanTruck().vin, status: 'sold' },
    { vin: 'SHORT', status: 'sold' },
    { vin, status: 'available' },
    { status: 'sold' },
    { vin, status: 'sold', source_provider_id: {} },
    null,
  ]);
  expect(status).toBe(200);
  expect(body.summary).toEqual({ received: 8, updated: 1, unchanged: 1, not_found: 2, rejected: 4 });
  const change = { vin: soldTruck?.vin, status: 'sold' };
  expect(body.results.slice(0, 2)).toEqual([
    { index: 0, outcome: 'updated', ...change, previous_status: 'available', updated: 1 },
    { index: 1, outcome: 'unchanged', ...change, previous_status: 'sold', updated: 0 },
  ]);
  const codes = body.results.slice(2).map(({ error }: { error: { code: string } }) => error.code);
  const invalid = Array(3).fill('INVALID_PAYLOAD');
  expect(codes).toEqual(['NOT_FOUND', 'NOT_FOUND', 'INVALID_STATUS', ...invalid]);
  expect((await account.read(String(vin))).status).toBe('available');
});

test('over 500 records, no array, and a VIN or status beside records are refused before any record is read', async () => {
  const { vin } = (await account.post(cleanTruck())).body;
  const change = { vin, status: 'delisted' };
  const code = 'INVALID_PAYLOAD';
  for (const [records, more, error] of [
    [Array(501).fill(change), {}, { code: 'BATCH_TOO_LARGE' }],
    [null, {}, { code }],
    [{}, {}, { code }],
    [[change], { vin }, { code, details: { field: 'vin' } }],
    [[change], { status: 'sold' }, { code, details: { field: 'status', reason: 'unknown_field' } }],
  ] as const)
    expect((await patch(records, more)).body).toMatchObject({ error });
  expect((await account.read(vin)).status).toBe('available');
  expect(await patch([])).toMatchObject({ status: 200, body: { results: [] } });
});

const PROVIDERS = ['', 'a', 'b'] as const;
const anyRecord = fc.record({
  truck: fc.nat({ max: 3 }),
  status: fc.constantFrom('sold', 'delisted'),
  source_provider_id: fc.option(fc.constantFrom(...PROVIDERS, null), { nil: undefined }),
});

test('results and stored statuses always equal a model that applies one record after the other', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.subarray([...PROVIDERS]), { minLength: 4, maxLength: 4 }),
    fc.array(fc.array(anyRecord, { maxLength: 12 }), { minLength: 1, maxLength: 3 }),
    async (providers, calls) => {
      const trucks = cleanTrucks(4);
      const records = trucks.flatMap((truck, n) =>
        (providers[n] ?? []).map((source_provider_id) => ({ ...truck, source_provider_id })),
      );
      await account.post({ records });
      const model = trucks.map((_, n) => new Map((providers[n] ?? []).map((name) => [name, 'available'])));
      for (const call of calls) {
        const changes = call.map(({ truck, ...change }) => ({ vin: trucks[truck]?.vin, ...change }));
        const { body } = await patch(changes);
        const expected = call.map((record) => modelled(model[record.truck] ?? new Map(), record));
        expect(body.results).toMatchObject(expected);
      }
      for (const [n, truck] of trucks.entries()) {
        const { sources = [] } = await account.read(truck.vin);
        const stored = sources.map(({ source_provider_id, status }: Source) => [
          source_provider_id ?? '',
          status,
        ]);
        expect(new Map(stored)).toEqual(model[n]);
      }
      expect(await searchFaults(account.id)).toEqual([]);
    },
  );
  await fc.assert(property, { numRuns: 15 });
});

function modelled(
  listings: Map<string, string>,
  { status, source_provider_id }: { status: string; source_provider_id: string | null | undefined },
) {
  const listingNames = [...listings.keys()].filter((name) =>
    [undefined, name].includes(source_provider_id ?? (source_provider_id === null ? '' : undefined)),
  );
  if (listingNames.length === 0) return { outcome: 'not_found', updated: 0 };
  const changedNames = listingNames.filter((name) => listings.get(name) !== status);
  for (const name of changedNames) listings.set(name, status);
  return { outcome: changedNames.length > 0 ? 'updated' : 'unchanged', updated: changedNames.length };
}

test('a default beside records holds for those that name none; null is the listing without a provider', async () => {
  const truck = cleanTruck();
  for (const source_provider_id of ['a', 'b', null]) await account.post({ ...truck, source_provider_id });
  const change = { vin: truck.vin, status: 'sold' };
  for (const [record, more, updated] of [
    [{ source_provider_id: null }, { source_provider_id: 'a' }, 1],
    [{}, { source_provider_id: null }, 1],
  ] as const) {
    const { body } = await patch([{ ...change, ...record }], more, '?dry_run=true');
    expect(body).toMatchObject({ results: [{ updated }], dry_run: true });
  }
  expect((await account.read(truck.vin)).status).toBe('available');
});
