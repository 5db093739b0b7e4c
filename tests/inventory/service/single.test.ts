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
  const other = { ...truck, source_provider_id: 'dms-1' };
  const second = await account.call('POST', '/v1/inventory?return=full', other);
  expect(second.body).toMatchObject({
    outcome: 'created',
    dedup_hash: computeHash(truck.vin, 'dms-1'),
    quality: {
      ...quality,
      parts: expect.arrayContaining([
        { part: 'price', points: 14, of: 14 },
        { part: 'images', points: 0, of: 14, why: 'No photo was sent, or none could be downloaded.' },
      ]),
      raise: expect.arrayContaining([{ field: 'images', points: 14 }]),
    },
  });
});

test('the same record again is unchanged and skips the later stages, a changed one is merged; a dry run stores neither', async () => {
  const truck = cleanTruck();
  const dry = await account.post(truck, '?dry_run=true');
  expect([dry.status, dry.body]).toMatchObject([200, { outcome: 'created', dry_run: true }]);
  expect((await account.call('GET', `/v1/inventory/${truck.vin}`)).status).toBe(404);
  const first = await account.post(truck);
  const second = await account.post({ ...truck, price: `$${truck.price}.00` });
  const stages = { validate: 'ok', deduplicate: 'ok', enrich: 'skipped', index: 'skipped' };
  expect([second.status, second.body]).toEqual([200, { ...first.body, outcome: 'unchanged', stages }]);
  const merged = { outcome: 'merged', stages: { index: 'ok' } };
  const changed = { ...truck, price: 61_000 };
  expect((await account.post(changed, '?dry_run=true')).body).toMatchObject({ ...merged, dry_run: true });
  expect((await account.read(truck.vin)).price).toBe(truck.price);
  const third = await account.post(changed);
  expect([third.status, third.body]).toMatchObject([200, merged]);
});

test.each([
  [{}, '', 'INVALID_PAYLOAD', 'vin'],
  [{ year: 2019, make: 'Mack' }, '', 'INVALID_PAYLOAD', 'vin'],
  [{ Vin: 'x' }, '', 'INVALID_PAYLOAD', 'vin'],
  [{ record: cleanTruck() }, '', 'INVALID_PAYLOAD', 'record'],
  [cleanTruck(), '?dry_run=maybe', 'INVALID_PARAMS', 'dry_run'],
  [cleanTruck(), '?return=some', 'INVALID_PARAMS', 'return'],
])('%j%s is %s, naming %s', async (sent, query, code, field) => {
  const { status, body } = await account.post(sent, query);
  expect([status, body.error.code, body.error.details.field]).toEqual([400, code, field]);
});

const year = new Date().getUTCFullYear();
/** What makes a good truck break each rule of the validate stage. */
const FAULTS: Readonly<Record<string, [field: string, change: Record<string, unknown>]>> = {
  VIN_MISSING: ['vin', { vin: ' \u200b' }],
  VIN_LENGTH: ['vin', { vin: '1FUJGLDR3H', status: 'sold' }],
  YEAR_MISSING: ['year', { year: null }],
  YEAR_OUT_OF_RANGE: ['year', { year: year + 3 }],
  MAKE_MISSING: ['make', { make: '' }],
  GVWR_BELOW_FLOOR: ['gvwr', { gvwr: '10,000 lbs' }],
  BODY_TYPE_BLOCKED: ['body_type', { body_type: 'SUV' }],
  CLASS_BELOW_FLOOR: ['class', { class: 'class_2' }],
  DUAL_USE_QUARANTINED: ['class', { make: 'Ford', class: undefined, gvwr: undefined }],
  PRICE_INVALID: ['price', { price: 999 }],
};

test('every code of the validate stage has a faulty record here', () => {
  expect(Object.keys(FAULTS)).toEqual(STAGE_CODES.validate);
});

test.each(Object.entries(FAULTS))(
  '%s rejects a single record as PIPELINE_FAILED and the same in a batch, with the same details',
  async (code, [field, change]) => {
    const good = cleanTruck();
    const bad = { ...good, ...change };
    const { status, body } = await account.post(bad);
    expect([status, body.error.code]).toEqual([422, 'PIPELINE_FAILED']);
    const { details } = body.error;
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
    const batch = await account.post({ records: [bad] });
    expect([batch.status, batch.body]).toMatchObject([
      200,
      {
        results: [{ index: 0, outcome: 'rejected', error: { code, details } }],
        rejects_by_code: { [code]: 1 },
      },
    ]);
    if (!code.startsWith('VIN'))
      expect((await account.call('GET', `/v1/inventory/${good.vin}`)).status).toBe(404);
  },
);

test('the first failing rule names the reject and all of them are listed, in the contract’s order', async () => {
  const { body } = await account.post({
    price: 5,
    body_type: 'sedan',
    gvwr: 6_000,
    make: 'Mack',
    vin: 'SHORT',
  });
  const { stages, issues } = body.error.details;
  const codes = ['VIN_LENGTH', 'YEAR_MISSING', 'GVWR_BELOW_FLOOR', 'BODY_TYPE_BLOCKED', 'PRICE_INVALID'];
  expect([stages, issues.map(({ code }: { code: string }) => code)]).toEqual([
    { validate: 'VIN_LENGTH' },
    codes,
  ]);
});
