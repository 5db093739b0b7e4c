import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startFeedServer } from '../../support/servers/feed-server.ts';
import { queryRows } from '../../support/service/database.ts';
import { goodTruck, startService, type TestService } from '../../support/service/service.ts';

/** What a file would become, told without storing anything. */

const server = await startFeedServer();
const service = await startService(server.ports);
const account = await service.newAccount();
afterAll(() => server.close());

const preview = (body: Record<string, unknown>) => account.call('POST', '/v1/feeds/preview', body);

async function previewed(body: Record<string, unknown>) {
  const answer = await preview(body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function refused(body: Record<string, unknown>) {
  const answer = await preview(body);
  expect(answer.status, answer.text).toBe(400);
  expect(answer.body.error.code).toBe('INVALID_PAYLOAD');
  return answer.body.error.details;
}

const vin = () => String(goodTruck().vin);
const toCsv = (vins: string[]) =>
  [
    'Stock #,VIN Number,Yr,Truck Make,Model,Asking Price (USD),Milage,Truck Class,Photos,Fairings',
    ...vins.map(
      (each, index) =>
        `U${index},${each},2019,FRTLNR,Cascadia,${index === 0 ? 'Call' : '"$68,900"'},412000,Class 8,"https://img.test/${index}a.jpg,https://img.test/${index}b.jpg",72 in`,
    ),
  ].join('\n');

describe('a preview', () => {
  test('tells the format, what each column is taken for, the first records, and the verdict', async () => {
    const vins = [vin(), vin(), 'TOO-SHORT'];
    const body = await previewed({ sample: toCsv(vins) });
    expect(body).toMatchObject({ format: 'csv', compression: 'none', encoding: 'utf-8', delimiter: ',' });
    const columns: { column: string; field: string | null }[] = body.columns;
    expect(Object.fromEntries(columns.map(({ column, field }) => [column, field]))).toEqual({
      'Stock #': 'stock_number',
      'VIN Number': 'vin',
      Yr: 'year',
      'Truck Make': 'make',
      Model: 'model',
      'Asking Price (USD)': 'price',
      Milage: null,
      'Truck Class': 'class',
      Photos: 'images',
      Fairings: null,
    });
    expect(body.columns[0]).toEqual({
      column: 'Stock #',
      field: 'stock_number',
      kept: false,
      confidence: 1,
      examples: ['U0', 'U1', 'U2'],
    });
    expect(body.columns[3].confidence).toBeLessThan(1);
    expect(body.records[0]).toMatchObject({
      vin: vins[0],
      price: 'Call',
      images: ['https://img.test/0a.jpg', 'https://img.test/0b.jpg'],
      attributes: { Fairings: '72 in' },
    });
    expect(body.verdict).toMatchObject({
      rows: 3,
      complete: true,
      accepted: 2,
      rejected: 1,
      rejects_by_code: { VIN_LENGTH: 1 },
    });
    expect(body.verdict.results).toMatchObject([
      { line: 4, outcome: 'rejected', code: 'VIN_LENGTH', field: 'vin', fix: expect.any(String) },
      { line: 2, outcome: 'created', vin: vins[0] },
      { line: 3, outcome: 'created', vin: vins[1] },
    ]);
  });

  test('stores nothing, of a file that is fetched either', async () => {
    const vins = [vin()];
    const file = server.file();
    file.serve(gzipSync(toCsv(vins)));
    const body = await previewed({ url: file.url });
    expect(body).toMatchObject({ format: 'csv', compression: 'gzip', verdict: { accepted: 1 } });
    expect((await account.call('GET', `/v1/inventory/${vins[0]}`)).status).toBe(404);
    expect((await account.call('GET', '/v1/feeds')).body.feeds).toEqual([]);
    expect(await queryRows('select 1 from feed_runs where account_id = $1', [account.id])).toEqual([]);
  });

  test('takes the dealer’s word before its own guesses', async () => {
    const truck = vin();
    const sample = `VIN,Year,Make,Price,Cash,Hidden\n${truck},2019,Ford,99000,61000,secret\n`;
    const plain = await previewed({ sample });
    expect(plain.verdict.rejects_by_code).toEqual({ DUAL_USE_QUARANTINED: 1 });
    expect(plain.records[0]).toMatchObject({
      price: '99000',
      attributes: { Cash: '61000', Hidden: 'secret' },
    });
    const mapped = await previewed({
      sample,
      mapping: { cash: 'price', Hidden: null },
      defaults: { class: 'class_6', color: 'White' },
    });
    expect(mapped.records[0]).toMatchObject({ price: '61000', class: 'class_6', color: 'White' });
    expect(mapped.records[0].attributes).toEqual({ Price: '99000', class_source: 'default' });
    expect(mapped.verdict.accepted).toBe(1);
    const { records } = await previewed({
      sample: sample.replace('Ford,99000', 'Ford,0'),
      zero_price_is_call: false,
    });
    expect(records[0].price).toBe('0');
  });

  test('takes the class from the VIN when asked to', async () => {
    const sample = 'VIN,Year,Make\n1FDNF6AY5JDF00001,2018,Ford\n';
    expect((await previewed({ sample })).verdict.rejected).toBe(1);
    const body = await previewed({ sample, class_from_vin: true, defaults: { class: 'class_3' } });
    expect(body.records[0]).toMatchObject({ class: 'class_6', attributes: { class_source: 'vin' } });
    expect(body.verdict.accepted).toBe(1);
  });

  test('judges the first 500 rows and says that there are more', async () => {
    const rows = Array.from({ length: 510 }, (_, index) => `BAD${index},2019,Mack`);
    const { verdict, records } = await previewed({ sample: `VIN,Year,Make\n${rows.join('\n')}\n` });
    expect(verdict).toMatchObject({ rows: 500, complete: false, rejected: 500 });
    expect([verdict.results.length, records.length]).toEqual([100, 5]);
  });

  test('reads any format, a row that cannot be read included', async () => {
    const truck = { vin: vin(), year: 2019, make: 'Mack', location: { city: 'Waco', state: 'TX' } };
    const json = await previewed({ sample: `{"trucks": [${JSON.stringify(truck)}, null]}` });
    expect(json).toMatchObject({ format: 'json', delimiter: null, verdict: { accepted: 1, rejected: 1 } });
    expect(json.records).toEqual([{ vin: truck.vin, year: 2019, make: 'Mack', city: 'Waco', state: 'TX' }]);
    expect(json.verdict.results).toContainEqual(
      expect.objectContaining({ outcome: 'rejected', code: 'ROW_UNREADABLE', vin: null, line: 2 }),
    );
    const utf16 = Buffer.from(`\ufeff${toCsv([vin()])}`, 'utf16le').toString('base64');
    expect(await previewed({ sample_base64: utf16 })).toMatchObject({
      encoding: 'utf-16le',
      verdict: { accepted: 1 },
    });
    expect((await previewed({ sample: '' })).verdict).toMatchObject({ rows: 0, accepted: 0, results: [] });
  });

  test('cuts long texts in what it shows', async () => {
    const sample = `VIN,Year,Make,Description\n${vin()},2019,Mack,${'long '.repeat(10_000)}\n`;
    const answer = await preview({ sample });
    expect(answer.body.verdict.accepted).toBe(1);
    expect(answer.text.length).toBeLessThan(5_000);
  });
});

describe('what is wrong is told with its field and what to do', () => {
  test('none or two of url, sample and sample_base64', async () => {
    for (const body of [{}, { sample: 'a', url: 'https://a.test/x' }, { sample: 'a', sample_base64: 'YQ==' }])
      expect(await refused(body)).toMatchObject({ field: 'url' });
  });

  test('a file that cannot be read', async () => {
    expect(await refused({ sample: '<!doctype html><html></html>' })).toMatchObject({
      field: 'sample',
      reason: 'web_page',
      fix: expect.any(String),
      retryable: false,
    });
    expect(
      await refused({ sample_base64: gzipSync('VIN\n1').subarray(0, 15).toString('base64') }),
    ).toMatchObject({ field: 'sample_base64', reason: 'file_truncated' });
    expect(await refused({ sample_base64: 'no base64!' })).toMatchObject({ field: 'sample_base64' });
    expect(await refused({ sample: '[1', format: 'json' })).toMatchObject({ reason: 'file_truncated' });
  });

  test('a file that cannot be had', async () => {
    const { url } = server.file();
    expect(await refused({ url })).toMatchObject({ field: 'url', reason: 'not_found' });
    const file = server.file();
    file.serve(401);
    expect(await refused({ url: file.url })).toMatchObject({ field: 'password', reason: 'auth_failed' });
    file.serve(503);
    expect(await refused({ url: file.url })).toMatchObject({ reason: 'http_status', retryable: true });
    for (const private_ of [
      'https://127.0.0.1/a.csv',
      'https://[::1]/a.csv',
      'https://169.254.169.254/a.csv',
    ])
      expect(await refused({ url: private_ })).toMatchObject({ reason: 'address_refused' });
    const sftp = { url: 'sftp://10.0.0.1/a.csv', username: 'joe', password: 'very-secret-word' };
    expect(await refused(sftp)).toMatchObject({ reason: 'address_refused' });
    expect(JSON.stringify(service.log)).not.toContain('very-secret-word');
  });

  test('a mapping to what no record has', async () => {
    expect(await refused({ sample: 'VIN\n1', mapping: { VIN: 'vim' } })).toMatchObject({
      field: 'mapping.VIN',
    });
  });

  test('odd text in samples is no fault of ours', async () => {
    for (const sample of [
      '\u0000\u0001',
      '"',
      '"""',
      ',,,\n,,,\n',
      '{"a":1}',
      '[[[[',
      '\ud800,\udfff\n1,2',
      '<',
      '<a>',
      'a\tb\n"\t"',
    ])
      expect([200, 400], sample).toContain((await preview({ sample })).status);
  });
});

describe('previews at the same time', () => {
  let reading = 0;
  let mostReading = 0;
  const gate = Promise.withResolvers<void>();
  let gated: TestService;
  beforeAll(async () => {
    gated = await startService(({ feedFiles }) => ({
      feedFiles: {
        async open(...args) {
          reading += 1;
          mostReading = Math.max(mostReading, reading);
          await gate.promise;
          const file = await feedFiles.open(...args);
          async function* parts() {
            try {
              yield* file.parts();
            } finally {
              reading -= 1;
            }
          }
          return { ...file, parts };
        },
        rows: (part) => feedFiles.rows(part),
      },
    }));
  });

  test('are read three at a time, one of an account; who has no turn in time gets Retry-After', async () => {
    const accounts = await Promise.all([1, 2, 3, 4].map(() => gated.newAccount()));
    const body = { sample: toCsv([vin()]) };
    const call = (index: number) => accounts[index]?.call('POST', '/v1/feeds/preview', body);
    const first = [0, 1, 2].map(call);
    await vi.waitFor(() => expect(reading).toBe(3));
    for (const late of await Promise.all([call(0), call(3)])) {
      expect([late?.status, late?.body.error.code]).toEqual([429, 'RATE_LIMITED']);
      expect(Number(late?.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const waiting = call(3);
    gate.resolve();
    for (const done of await Promise.all([...first, waiting])) expect(done?.status).toBe(200);
    expect([reading, mostReading]).toEqual([0, 3]);
  });
});
