import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { STAGE_CODES, type StageCode } from '../../../lib/errors.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { startService } from '../../support/service/service.ts';

const service = await startService();
const account = await service.newAccount();

const computeHash = (vin: string, provider = '') =>
  createHash('sha256')
    .update(vin + provider)
    .digest('hex');

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

test.each(['vin', 'VIN', 'vehicle_identification_number'])(
  'a record may name its VIN %s, spaced and dashed',
  async (name) => {
    const { vin, ...rest } = cleanTruck();
    const spelled = ` ${vin.slice(0, 3).toLowerCase()}-${vin.slice(3, 9)} ${vin.slice(9)}\n`;
    const { status, body } = await account.post({ ...rest, [name]: spelled });
    expect([status, body.vin]).toEqual([201, vin]);
  },
);

test('what cannot be read is a warning, and the rest is stored', async () => {
  const record = cleanTruck({ mileage: 'plenty', status: 'reserved', dealer: 'nobody' });
  const { status, body } = await account.post(record);
  const fields = body.warnings.map(({ field }: { field: string }) => field).sort();
  expect([status, fields]).toEqual([201, ['dealer', 'mileage', 'status']]);
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
/** A fault for every code of the validate stage: what to change in a good truck. */
const FAULTS: Readonly<Record<string, { field: string; change: Record<string, unknown> }>> = {
  VIN_MISSING: { field: 'vin', change: { vin: ' \u200b' } },
  VIN_LENGTH: { field: 'vin', change: { vin: '1FUJGLDR3H', status: 'sold' } },
  YEAR_MISSING: { field: 'year', change: { year: null } },
  YEAR_OUT_OF_RANGE: { field: 'year', change: { year: year + 3 } },
  MAKE_MISSING: { field: 'make', change: { make: '' } },
  GVWR_BELOW_FLOOR: { field: 'gvwr', change: { gvwr: '10,000 lbs' } },
  BODY_TYPE_BLOCKED: { field: 'body_type', change: { body_type: 'SUV' } },
  CLASS_BELOW_FLOOR: { field: 'class', change: { class: 'class_2' } },
  DUAL_USE_QUARANTINED: { field: 'class', change: { make: 'Ford', class: undefined, gvwr: undefined } },
  PRICE_INVALID: { field: 'price', change: { price: 999 } },
};

test('every code of the validate stage has a faulty record here', () => {
  expect(Object.keys(FAULTS)).toEqual(STAGE_CODES.validate);
});

describe.each(Object.entries(FAULTS))('%s', (code, { field, change }) => {
  test('rejects a single record as PIPELINE_FAILED and the same in a batch, with the same details', async () => {
    const good = cleanTruck();
    const bad = { ...good, ...change };
    const single = await account.post(bad);
    expect([single.status, single.body.error.code]).toEqual([422, 'PIPELINE_FAILED']);
    const { details } = single.body.error;
    expect(details).toEqual({
      reason: code.toLowerCase(),
      stages: { validate: code },
      field,
      received: details.received,
      fix: expect.any(String),
      retryable: false,
      doc_url: `http://trucks.test/docs/errors/${code}.html`,
      issues: [{ code, field, received: details.received, fix: details.fix }],
    });
    const batch = await account.post({ records: [bad] });
    expect(batch.status).toBe(200);
    const [result] = batch.body.results;
    expect(result).toMatchObject({ index: 0, outcome: 'rejected', error: { code, details } });
    expect(batch.body.rejects_by_code).toEqual({ [code]: 1 });
    if (code.startsWith('VIN')) return;
    expect((await account.call('GET', `/v1/inventory/${good.vin}`)).status).toBe(404);
  });
});

test('the first failing rule names the reject and all of them are listed, in the contract’s order', async () => {
  const codes: StageCode[] = [
    'VIN_LENGTH',
    'YEAR_MISSING',
    'GVWR_BELOW_FLOOR',
    'BODY_TYPE_BLOCKED',
    'PRICE_INVALID',
  ];
  const answer = await account.post({
    price: 5,
    body_type: 'sedan',
    gvwr: 6_000,
    make: 'Mack',
    vin: 'SHORT',
  });
  expect(answer.body.error.details.stages).toEqual({ validate: 'VIN_LENGTH' });
  expect(answer.body.error.details.issues.map((issue: { code: string }) => issue.code)).toEqual(codes);
});
