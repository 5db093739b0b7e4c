import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { STAGE_CODES } from '../../../lib/errors.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { startService } from '../../support/service/service.ts';

const service = await startService();
const account = await service.newAccount();

const computeHash = (vin: string, provider = '') => hash('sha256', vin + provider);

test('a record is created with 201 and answered with all about it; another provider’s is a listing of its own', async () => {
  const truck = cleanTruck();
  const { status, body } = await account.post(truck);
  expect(status).toBe(201);
  const quality = { score: expect.any(Number), missing: expect.arrayContaining(['images', 'location']) };
  expect(body).toEqual({
    outcome: 'created',
    vin: truck.vin,
    dedup_hash: computeHash(truck.vin),
    status: 'available',
    quality,
    warnings: [],
    stages: { validate: 'ok', deduplicate: 'ok', enrich: 'ok', index: 'ok' },
  });
  const second = await account.post({ ...truck, source_provider_id: 'dms-1' }, '?return=full');
  const images = { part: 'images', points: 0, of: 14, why: expect.any(String) };
  expect(second.body).toMatchObject({
    outcome: 'created',
    dedup_hash: computeHash(truck.vin, 'dms-1'),
    quality: {
      parts: expect.arrayContaining([{ part: 'price', points: 14, of: 14 }, images]),
      raise: expect.arrayContaining([{ field: 'images', points: 14 }]),
    },
  });
});

test('the same record again is unchanged and skips the later stages, a changed one is merged; a dry run stores neither', async () => {
  const truck = cleanTruck();
  const dry = await account.post(truck, '?dry_run=true');
  expect(dry).toMatchObject({ status: 200, body: { outcome: 'created', dry_run: true } });
  expect((await account.call('GET', `/v1/inventory/${truck.vin}`)).status).toBe(404);
  const first = await account.post(truck);
  const second = await account.post({ ...truck, price: `$${truck.price}.00` });
  const stages = { validate: 'ok', deduplicate: 'ok', enrich: 'skipped', index: 'skipped' };
  expect([second.status, second.body]).toEqual([200, { ...first.body, outcome: 'unchanged', stages }]);
  const expected = { status: 200, body: { outcome: 'merged', stages: { index: 'ok' } } };
  const repriced = { ...truck, price: 61_000 };
  expect(await account.post(repriced, '?dry_run=true')).toMatchObject(expected);
  expect((await account.read(truck.vin)).price).toBe(truck.price);
  expect(await account.post(repriced)).toMatchObject(expected);
});

test.each([
  [{ year: 2019, make: 'Mack' }, '', 'INVALID_PAYLOAD', 'vin'],
  [cleanTruck(), '?dry_run=maybe', 'INVALID_PARAMS', 'dry_run'],
  [cleanTruck(), '?return=some', 'INVALID_PARAMS', 'return'],
])('%j%s is %s, naming %s', async (body, query, code, field) => {
  const error = { code, details: { field } };
  expect(await account.post(body, query)).toMatchObject({ status: 400, body: { error } });
});

/** What makes a good truck break each rule of the validate stage, the field at fault first. */
const FAULTS: Readonly<Record<string, object>> = {
  VIN_MISSING: { vin: ' \u200b' },
  VIN_LENGTH: { vin: '1FUJGLDR3H', status: 'sold' },
  YEAR_MISSING: { year: null },
  YEAR_OUT_OF_RANGE: { year: new Date().getUTCFullYear() + 3 },
  MAKE_MISSING: { make: '' },
  GVWR_BELOW_FLOOR: { gvwr: '10,000 lbs' },
  BODY_TYPE_BLOCKED: { body_type: 'SUV' },
  CLASS_BELOW_FLOOR: { class: 'class_2' },
  DUAL_USE_QUARANTINED: { class: undefined, make: 'Ford', gvwr: undefined },
  PRICE_INVALID: { price: 999 },
};

test('every code of the validate stage has a faulty record here', () => {
  expect(Object.keys(FAULTS)).toEqual(STAGE_CODES.validate);
});

test.each(Object.entries(FAULTS))(
  '%s rejects a single record as PIPELINE_FAILED and the same in a batch, with the same details',
  async (code, change) => {
    const [field] = Object.keys(change);
    const bad = { ...cleanTruck(), ...change };
    const single = await account.post(bad);
    expect(single).toMatchObject({ status: 422, body: { error: { code: 'PIPELINE_FAILED' } } });
    const { details } = single.body.error;
    const { received, fix } = details;
    expect(details).toEqual({
      reason: code.toLowerCase(),
      stages: { validate: code },
      field,
      received,
      fix: expect.any(String),
      retryable: false,
      doc_url: `http://trucks.test/docs/errors/${code}.html`,
      issues: [{ code, field, received, fix }],
    });
    const results = [{ outcome: 'rejected', error: { code, details } }];
    const batch = { status: 200, body: { results, rejects_by_code: { [code]: 1 } } };
    expect(await account.post({ records: [bad] })).toMatchObject(batch);
  },
);

test('the first failing rule names the reject and all of them are listed, in the contract’s order', async () => {
  const record = { price: 5, body_type: 'sedan', gvwr: 6_000, make: 'Mack', vin: 'SHORT' };
  const codes = ['VIN_LENGTH', 'YEAR_MISSING', 'GVWR_BELOW_FLOOR', 'BODY_TYPE_BLOCKED', 'PRICE_INVALID'];
  expect((await account.post(record)).body.error.details).toMatchObject({
    stages: { validate: codes[0] },
    issues: codes.map((code) => ({ code })),
  });
});
