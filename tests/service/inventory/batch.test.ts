import { describe, expect, test } from 'vitest';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { cleanTruck, cleanTrucks } from '../../support/samples/trucks.ts';
import { startService } from '../../support/service/service.ts';

const service = await startService();
const account = await service.newAccount();

const post = (records: unknown, query = '', more: object = {}) =>
  account.call('POST', `/v1/inventory${query}`, { records, ...more });
const listOutcomes = (body: { results: { outcome: string }[] }) => body.results.map(({ outcome }) => outcome);

describe('a batch', () => {
  test('is always 200: one result per record, in input order, and a summary that adds up', async () => {
    const [known, fresh, other] = cleanTrucks(3);
    await post([known]);
    const bad = cleanTruck({ make: null });
    const records = [fresh, bad, known, 7, { ...known, price: 60_000 }, other, null, [], 'text'];
    const answer = await post(records);
    expect(answer.status).toBe(200);
    expect(answer.body.results.map(({ index }: { index: number }) => index)).toEqual(
      records.map((_, at) => at),
    );
    expect(listOutcomes(answer.body)).toEqual([
      'created',
      'rejected',
      'merged',
      'rejected',
      'merged',
      'created',
      'rejected',
      'rejected',
      'rejected',
    ]);
    expect(answer.body.summary).toEqual({ received: 9, created: 2, merged: 2, unchanged: 0, rejected: 5 });
    expect(answer.body.rejects_by_code).toEqual({ MAKE_MISSING: 1, VIN_MISSING: 4 });
    expect(answer.body.results[1]).toMatchObject({ vin: bad.vin, error: { code: 'MAKE_MISSING' } });
    expect(answer.body.results[3]).toMatchObject({ vin: null, error: { code: 'VIN_MISSING' } });
  });

  test('that is empty is fine and says so', async () => {
    const empty = { received: 0, created: 0, merged: 0, unchanged: 0, rejected: 0 };
    expect((await post([])).body).toEqual({ summary: empty, rejects_by_code: {}, results: [] });
  });

  test('of 500 is taken in, unchanged the second time', async () => {
    const trucks = cleanTrucks(500);
    const first = await post(trucks, '?return=summary');
    expect(first.body.summary).toMatchObject({ received: 500, created: 500 });
    const second = await post(trucks, '?return=summary');
    expect(second.body.summary).toMatchObject({ received: 500, unchanged: 500 });
  });

  test('of 501 is BATCH_TOO_LARGE before any record is looked at', async () => {
    const truck = cleanTruck();
    const answer = await post([truck, ...Array.from({ length: 500 }, () => null)]);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'BATCH_TOO_LARGE']);
    expect(answer.body.error.details).toMatchObject({ received: 501, limit: 500 });
    expect((await account.call('GET', `/v1/inventory/${truck.vin}`)).status).toBe(404);
  });

  test.each([null, {}, 'x', 7, true, { length: 1 }])(
    'whose records are %j is VALIDATION_ERROR',
    async (records) => {
      const answer = await post(records, '', { vin: cleanTruck().vin });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.error.details.field).toBe('records');
    },
  );

  test('may carry a default source_provider_id, which a record’s own overrules', async () => {
    const [first, second] = cleanTrucks(2);
    const own = { ...second, source_provider_id: 'own' };
    const named = cleanTruck();
    await post([first, own, { ...named, source_provider_id: ' ' }], '', { source_provider_id: 'dms-9' });
    expect((await account.read(String(first?.vin))).source_provider_id).toBe('dms-9');
    expect((await account.read(String(second?.vin))).source_provider_id).toBe('own');
    expect((await account.read(named.vin)).source_provider_id).toBe('dms-9');
    const again = await account.post({ ...first, source_provider_id: 'dms-9' });
    expect(again.body.outcome).toBe('unchanged');
  });
});

describe('the same truck several times in a batch', () => {
  test('merges in order: later fields win, absent ones stay, null clears; created once', async () => {
    const truck = cleanTruck({ color: 'White' });
    const { vin, year, make } = truck;
    const records = [
      { ...truck, mileage: 1_000 },
      { vin, year, make, class: 8, price: 70_000, engine: 'DD15' },
      { vin, year, make, class: 8, price: 65_000, color: null },
    ];
    const answer = await post(records);
    expect(listOutcomes(answer.body)).toEqual(['created', 'merged', 'merged']);
    expect(await account.read(vin)).toMatchObject({
      mileage: 1_000,
      engine: 'DD15',
      price: 65_000,
      color: null,
    });
    const events = (await account.read(vin)).price_history;
    expect(events).toHaveLength(1);
  });

  test('a rejected one takes no part', async () => {
    const truck = cleanTruck();
    const answer = await post([{ ...truck, price: 5 }, truck, { ...truck, make: '' }]);
    expect(listOutcomes(answer.body)).toEqual(['rejected', 'created', 'rejected']);
    expect((await account.read(truck.vin)).price).toBe(truck.price);
  });
});

describe('what a batch answers', () => {
  test('return=errors: only the rejects, at their indexes; return=summary: none; the summary always', async () => {
    const records = [cleanTruck(), cleanTruck({ price: 1 }), cleanTruck()];
    const summary = { received: 3, created: 2, merged: 0, unchanged: 0, rejected: 1 };
    const errors = (await post(records, '?return=errors&dry_run=true')).body;
    expect(errors).toMatchObject({ summary, results: [{ index: 1, outcome: 'rejected' }], dry_run: true });
    expect(errors.results).toHaveLength(1);
    const none = (await post(records, '?return=summary&dry_run=true')).body;
    expect(none).toEqual({ summary, rejects_by_code: { PRICE_INVALID: 1 }, results: [], dry_run: true });
    expect((await post(records, '?return=full&dry_run=true')).body.results).toHaveLength(3);
  });

  test('dry_run stores nothing of a batch, duplicates included', async () => {
    const truck = cleanTruck();
    const answer = await post([truck, { ...truck, price: 50_000 }], '?dry_run=true');
    expect(listOutcomes(answer.body)).toEqual(['created', 'merged']);
    expect((await account.call('GET', `/v1/inventory/${truck.vin}`)).status).toBe(404);
  });
});

describe('dealers of records', () => {
  test('absent is the account’s only dealer, and its earlier trucks get it when posted again', async () => {
    const own = await service.newAccount();
    const truck = cleanTruck();
    const readDealer = async () => (await own.read(truck.vin)).dealer;
    await own.post(truck);
    expect(await readDealer()).toBeNull();
    const slug = uniqueSlug();
    await own.call('POST', '/v1/dealers', { slug, name: 'Only' });
    expect((await own.post(truck)).body.outcome).toBe('merged');
    expect(await readDealer()).toBe(slug);
    expect((await own.post(truck)).body.outcome).toBe('unchanged');
  });

  test('named ones are the account’s own; unknown and foreign ones warn and change nothing', async () => {
    const own = await service.newAccount();
    const [mine, second, foreign] = [uniqueSlug(), uniqueSlug(), uniqueSlug()];
    for (const slug of [mine, second]) await own.call('POST', '/v1/dealers', { slug, name: slug });
    await account.call('POST', '/v1/dealers', { slug: foreign, name: foreign });
    const trucks = cleanTrucks(4);
    const dealers = [mine, second.toUpperCase(), foreign, undefined];
    const records = trucks.map((truck, at) => ({ ...truck, dealer: dealers[at] }));
    const { body } = await own.post({ records });
    expect(
      body.results.map(({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code)),
    ).toEqual([[], [], ['DEALER_UNKNOWN'], ['DEALER_AMBIGUOUS']]);
    const stored = await Promise.all(trucks.map(({ vin }) => own.call('GET', `/v1/inventory/${vin}`)));
    expect(stored.map((answer) => answer.body.dealer)).toEqual([mine, second, null, null]);
    const moved = await own.post({ ...trucks[0], dealer: second });
    expect(moved.body.outcome).toBe('merged');
    const kept = await own.post({ ...trucks[0], dealer: foreign });
    expect(kept.body).toMatchObject({ outcome: 'unchanged', warnings: [{ code: 'DEALER_UNKNOWN' }] });
    expect((await own.read(trucks[0]?.vin)).dealer).toBe(second);
  });
});

describe('members beside `records`', () => {
  test.each([{ dealer: 'lone-star' }, { dealer_slug: 'lone-star' }, { status: 'sold' }, { Currency: 'CAD' }])(
    '%j is a field of each record, and nothing is stored',
    async (more) => {
      const [truck] = cleanTrucks(1);
      const { status, body } = await post([truck], '', more);
      expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
      const [field] = Object.keys(more);
      expect(body.error.details).toMatchObject({ field, reason: 'unknown_field' });
      expect((await account.call('GET', `/v1/inventory/${truck?.vin}`)).status).toBe(404);
    },
  );

  test('what is no field of a truck is named in a warning', async () => {
    const extra = await post(cleanTrucks(1), '', { batch_no: 7, source_provider_id: 'a' });
    expect(extra.status).toBe(200);
    expect(extra.body.warnings).toMatchObject([{ code: 'UNKNOWN_FIELD', field: 'batch_no' }]);
    expect((await post(cleanTrucks(1))).body).not.toHaveProperty('warnings');
  });
});
