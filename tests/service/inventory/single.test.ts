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

describe('a single record', () => {
  test('is created with 201, and told all about it', async () => {
    const truck = cleanTruck();
    const answer = await account.post(truck);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      outcome: 'created',
      vin: truck.vin,
      dedup_hash: computeHash(truck.vin),
      status: 'available',
      quality: { score: expect.any(Number), missing: expect.arrayContaining(['images', 'location']) },
      warnings: [],
      stages: { validate: 'ok', deduplicate: 'ok', enrich: 'ok', index: 'ok' },
    });
  });

  test('with return=full answers what its quality is made up of, too', async () => {
    const { body } = await account.call('POST', '/v1/inventory?return=full', cleanTruck());
    expect(body.quality).toEqual({
      score: expect.any(Number),
      missing: expect.arrayContaining(['images', 'location']),
      parts: expect.arrayContaining([
        { part: 'price', points: 14, of: 14 },
        { part: 'images', points: 0, of: 14, why: 'No photo was sent, or none could be downloaded.' },
      ]),
      raise: expect.arrayContaining([{ field: 'images', points: 14 }]),
    });
  });

  test('again is unchanged with 200, and the later stages are skipped', async () => {
    const truck = cleanTruck();
    const first = await account.post(truck);
    const second = await account.post({ ...truck, price: `$${truck.price}.00` });
    expect(second.status).toBe(200);
    expect(second.body).toEqual({
      ...first.body,
      outcome: 'unchanged',
      stages: { validate: 'ok', deduplicate: 'ok', enrich: 'skipped', index: 'skipped' },
    });
  });

  test('changed is merged with 200', async () => {
    const truck = cleanTruck();
    await account.post(truck);
    const answer = await account.post({ ...truck, price: 61_000 });
    expect([answer.status, answer.body.outcome, answer.body.stages.index]).toEqual([200, 'merged', 'ok']);
  });

  test.each(['vin', 'VIN', 'vehicle_identification_number'])(
    'may name its VIN %s, spaced and dashed',
    async (name) => {
      const { vin, ...rest } = cleanTruck();
      const answer = await account.post({
        ...rest,
        [name]: ` ${vin.slice(0, 3).toLowerCase()}-${vin.slice(3, 9)} ${vin.slice(9)}\n`,
      });
      expect([answer.status, answer.body.vin]).toEqual([201, vin]);
    },
  );

  test('with a source_provider_id is a listing of its own', async () => {
    const truck = cleanTruck();
    await account.post(truck);
    const answer = await account.post({ ...truck, source_provider_id: 'dms-1' });
    expect(answer.body).toMatchObject({ outcome: 'created', dedup_hash: computeHash(truck.vin, 'dms-1') });
  });

  test('warns of what it could not read and stores the rest', async () => {
    const answer = await account.post(
      cleanTruck({ mileage: 'plenty', status: 'reserved', dealer: 'nobody' }),
    );
    expect(answer.status).toBe(201);
    const fields = answer.body.warnings.map(({ field }: { field: string }) => field).sort();
    expect(fields).toEqual(['dealer', 'mileage', 'status']);
  });
});

describe('a body that is no record', () => {
  test('without any VIN field is 400 INVALID_PAYLOAD naming it', async () => {
    for (const body of [{}, { year: 2019, make: 'Mack' }, { Vin: 'x' }]) {
      const answer = await account.post(body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_PAYLOAD']);
      expect(answer.body.error.details).toMatchObject({ field: 'vin' });
    }
  });

  test('with its trucks under a slip of records is 400 INVALID_PAYLOAD naming that', async () => {
    const { status, body } = await account.post({ record: cleanTruck() });
    expect([status, body.error.code, body.error.details.field]).toEqual([400, 'INVALID_PAYLOAD', 'record']);
  });

  test('with an unknown query value is INVALID_PARAMS', async () => {
    for (const query of ['?dry_run=maybe', '?dry_run=', '?return=some']) {
      const answer = await account.post(cleanTruck(), query);
      expect([answer.status, answer.body.error.code], query).toEqual([400, 'INVALID_PARAMS']);
    }
  });
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

describe('dry_run', () => {
  test('tells what would happen and stores nothing', async () => {
    const truck = cleanTruck();
    const answer = await account.post(truck, '?dry_run=true');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ outcome: 'created', dry_run: true, stages: { index: 'ok' } });
    expect((await account.call('GET', `/v1/inventory/${truck.vin}`)).status).toBe(404);
    expect((await account.post(truck)).body).toMatchObject({ outcome: 'created' });
    const merged = await account.post({ ...truck, price: 50_000 }, '?dry_run=true');
    expect(merged.body).toMatchObject({ outcome: 'merged', dry_run: true });
    expect((await account.post(truck, '?dry_run=true')).body.outcome).toBe('unchanged');
    expect((await account.read(truck.vin)).price).toBe(truck.price);
  });
});
