import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanTruck, cleanTrucks } from '../../support/samples/trucks.ts';
import { queryRows, tablesContaining } from '../../support/service/database.ts';
import { startService } from '../../support/service/service.ts';
import { STORE, useStore } from '../../support/service/store.ts';

/** The later stages' rejects, each by a fault in what the stage depends on. */

const POISON_ZIP = '76701';
const service = await startService((ports) => ({
  geocoder: {
    async locate(places) {
      if (places.some(({ zip }) => zip === POISON_ZIP))
        throw new Error('the geocoder choked on jane@doe.example');
      return ports.geocoder.locate(places);
    },
  },
}));
const account = await service.newAccount();

const post = (body: unknown, headers?: Record<string, string>) =>
  account.call('POST', '/v1/inventory', body, headers);
const isStored = async (vin: string) => (await account.call('GET', `/v1/inventory/${vin}`)).status === 200;
const listStored = (trucks: readonly { vin: string }[]) =>
  Promise.all(trucks.map(({ vin }) => isStored(vin)));
const once = () => ({ 'idempotency-key': crypto.randomUUID() });
const listCodes = (results: { error?: { code: string } }[]) =>
  results.map(({ error }) => error?.code ?? 'ok');

test('ENRICH_FAILED rejects only the record whose place makes the geocoder throw, retryable, in the contract’s words', async () => {
  const trucks = cleanTrucks(5, { zip: '78201' });
  const records = trucks.map((truck, at) => (at === 2 ? { ...truck, zip: POISON_ZIP } : truck));
  const { body, text } = await post({ records });
  expect(listCodes(body.results)).toEqual(['ok', 'ok', 'ENRICH_FAILED', 'ok', 'ok']);
  expect(JSON.stringify(service.log) + text).not.toContain('jane');
  const details = { stages: { enrich: 'ENRICH_FAILED' }, retryable: true };
  expect(body.results[2].error.details).toMatchObject(details);
  expect(await listStored(trucks)).toEqual([true, true, false, true, true]);
});

/** The database itself refuses rows whose engine is POISON <sqlstate>, in this table. */
async function plant(table: string, text: string): Promise<void> {
  await queryRows(`create or replace function poison_${table}() returns trigger language plpgsql as $$
    declare state text := substring(${text} from 'POISON ([0-9A-Z]{5})');
    begin
      if state is not null then raise exception 'poisoned' using errcode = state; end if;
      return new;
    end $$`);
  await queryRows(`create or replace trigger poison before insert or update on ${table} for each row
    execute function poison_${table}()`);
}

describe.each([
  ['listings', 'new.doc::text'],
  ['listing_words', 'upper(new.words_source)'],
])('INDEX_FAILED, by a poison in %s', (table, text) => {
  beforeAll(() => plant(table, text));
  afterAll(() => queryRows(`drop trigger if exists poison on ${table}`));

  test.each(['22003', '22P05', '23514', '23505'])(
    'SQLSTATE %s rejects that record alone: its issue and all other records are stored',
    async (state) => {
      for (const headers of [{}, once()]) {
        const trucks = cleanTrucks(7);
        // Other suites of this database may have sent the same VIN.
        const stockNumber = crypto.randomUUID();
        const isPoisoned = trucks.map((_, at) => [1, 5].includes(at));
        const records = trucks.map((truck, at) =>
          isPoisoned[at] ? { ...truck, stock_number: stockNumber, engine: `POISON ${state}` } : truck,
        );
        const { body } = await post({ records }, headers);
        expect(listCodes(body.results)).toEqual(isPoisoned.map((is) => (is ? 'INDEX_FAILED' : 'ok')));
        const details = { stages: { index: 'INDEX_FAILED' }, retryable: true };
        expect(body.results[1].error.details).toMatchObject(details);
        expect(await listStored(trucks)).toEqual(isPoisoned.map((is) => !is));
        expect(await tablesContaining(stockNumber)).toEqual(['public.issues']);
        expect(await queryRows('select 1 from listings where version = 0')).toEqual([]);
      }
    },
  );

  test('on a single record it is PIPELINE_FAILED, and a stored listing stays as it was', async () => {
    const truck = cleanTruck({ engine: 'Detroit DD13' });
    await post(truck);
    for (const headers of [{}, once()]) {
      const answer = await post({ ...truck, engine: 'POISON 22001' }, headers);
      expect([answer.status, answer.body.error.details.stages]).toEqual([422, { index: 'INDEX_FAILED' }]);
    }
    expect((await account.read(truck.vin)).engine).toBe('Detroit DD13');
    expect((await post(truck)).body.outcome).toBe('unchanged');
  });

  test.each([
    ['58030', expect.any(String)],
    ['53100', expect.stringMatching(/^Nothing can be saved at the moment/)],
  ])(
    'SQLSTATE %s is no fault of the record: 500, nothing is stored, and reads go on; a full disk is said',
    async (state, message) => {
      const [truck, other] = [cleanTruck(), cleanTruck()];
      await post(truck);
      const answer = await post({ records: [other, { ...truck, engine: `POISON ${state}` }] });
      expect(answer).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL_ERROR', message } } });
      expect([answer.headers.has('retry-after'), answer.text.includes('poisoned')]).toEqual([true, false]);
      expect(await listStored([truck, other])).toEqual([true, false]);
    },
  );
});

test.runIf(STORE === 'postgres')(
  'DUPLICATE_DEDUP_HASH refuses only listings that another request locks for too long, with or without a key',
  async () => {
    const trucks = cleanTrucks(10);
    await post({ records: trucks });
    const records = trucks.map((truck) => ({ ...truck, price: 51_000 }));
    const [locked, ...rest] = records;
    const vin = String(locked?.vin);
    const { sql } = await useStore();
    const [single, batch, change] = await sql.transaction(async (other) => {
      await other.query({ text: 'select 1 from listings where vin = $1 for update' }, [vin]);
      return Promise.all([post(locked), post({ records }, once()), account.patch({ vin, status: 'sold' })]);
    });
    const details = { stages: { deduplicate: 'DUPLICATE_DEDUP_HASH' }, retryable: true };
    expect([single.status, batch.status, change.status]).toEqual([422, 200, 500]);
    expect(change.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(single.body.error).toMatchObject({ code: 'PIPELINE_FAILED', details });
    expect(listCodes(batch.body.results)).toEqual(['DUPLICATE_DEDUP_HASH', ...rest.map(() => 'ok')]);
    expect(batch.body.results[0].error).toMatchObject({ details });
    expect((await post({ records })).body.summary).toMatchObject({ merged: 1, unchanged: 9 });
  },
);
