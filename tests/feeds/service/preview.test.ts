import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startFeedServer } from '../../support/servers/feed-server.ts';
import { queryRows } from '../../support/service/database.ts';
import { goodTruck, startService, type TestService } from '../../support/service/service.ts';

/** What a file would become, answered without storing anything. */

const server = await startFeedServer();
const service = await startService(server.ports);
const account = await service.newAccount();
afterAll(() => server.close());

const preview = (body: object) => account.call('POST', '/v1/feeds/preview', body);

async function previewed(body: object) {
  const answer = await preview(body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
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
  test('answers the format, the field of each column, the first records, and the verdict', async () => {
    const [first, second] = [vin(), vin()];
    const fields = {
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
    };
    const rejected = {
      line: 4,
      outcome: 'rejected',
      code: 'VIN_LENGTH',
      field: 'vin',
      fix: expect.any(String),
    };
    const body = await previewed({ sample: toCsv([first, second, 'TOO-SHORT']) });
    expect(body).toMatchObject({
      format: 'csv',
      compression: 'none',
      encoding: 'utf-8',
      delimiter: ',',
      columns: Object.entries(fields).map(([column, field]) => ({ column, field })),
      verdict: {
        rows: 3,
        complete: true,
        accepted: 2,
        rejected: 1,
        rejects_by_code: { VIN_LENGTH: 1 },
        results: [
          rejected,
          { line: 2, outcome: 'created', vin: first },
          { line: 3, outcome: 'created', vin: second },
        ],
      },
    });
    expect(body.columns[0]).toMatchObject({ kept: false, confidence: 1, examples: ['U0', 'U1', 'U2'] });
    expect(body.columns[3].confidence).toBeLessThan(1);
    expect(body.records[0]).toMatchObject({
      vin: first,
      price: 'Call',
      images: ['https://img.test/0a.jpg', 'https://img.test/0b.jpg'],
      attributes: { Fairings: '72 in' },
    });
  });

  test('stores nothing, of a file that is fetched either', async () => {
    const truck = vin();
    const file = server.file();
    file.serve(gzipSync(toCsv([truck])));
    const expected = { format: 'csv', compression: 'gzip', verdict: { accepted: 1 } };
    expect(await previewed({ url: file.url })).toMatchObject(expected);
    expect((await account.call('GET', `/v1/inventory/${truck}`)).status).toBe(404);
    expect((await account.call('GET', '/v1/feeds')).body.feeds).toEqual([]);
    expect(await queryRows('select 1 from feed_runs where account_id = $1', [account.id])).toEqual([]);
  });

  test('takes the dealer’s word before its own guesses', async () => {
    const sample = `VIN,Year,Make,Price,Cash,Hidden\n${vin()},2019,Ford,99000,61000,secret\n`;
    const attributes = { Cash: '61000', Hidden: 'secret' };
    expect(await previewed({ sample })).toMatchObject({
      records: [{ price: '99000', attributes }],
      verdict: { rejects_by_code: { DUAL_USE_QUARANTINED: 1 } },
    });
    const mapping = { cash: 'price', Hidden: null };
    const defaults = { class: 'class_6', color: 'White' };
    const mapped = await previewed({ sample, mapping, defaults });
    expect(mapped).toMatchObject({ records: [{ price: '61000', ...defaults }], verdict: { accepted: 1 } });
    expect(mapped.records[0].attributes).toEqual({ Price: '99000', class_source: 'default' });
    const free = { sample: sample.replace('Ford,99000', 'Ford,0'), zero_price_is_call: false };
    expect((await previewed(free)).records[0].price).toBe('0');
  });

  test('takes the class from the VIN when asked to', async () => {
    const sample = 'VIN,Year,Make\n1FDNF6AY5JDF00001,2018,Ford\n';
    expect((await previewed({ sample })).verdict.rejected).toBe(1);
    expect(await previewed({ sample, class_from_vin: true, defaults: { class: 'class_3' } })).toMatchObject({
      records: [{ class: 'class_6', attributes: { class_source: 'vin' } }],
      verdict: { accepted: 1 },
    });
  });

  test('judges the first 500 rows and says that there are more', async () => {
    const rows = Array.from({ length: 510 }, (_, index) => `BAD${index},2019,Mack`);
    const { verdict, records } = await previewed({ sample: `VIN,Year,Make\n${rows.join('\n')}\n` });
    expect(verdict).toMatchObject({ rows: 500, complete: false, rejected: 500 });
    expect([verdict.results.length, records.length]).toEqual([100, 5]);
  });

  test('reads any format, a row that cannot be read included', async () => {
    const truck = { vin: vin(), year: 2019, make: 'Mack', location: { city: 'Waco', state: 'TX' } };
    const { location, ...flat } = truck;
    const unreadable = { outcome: 'rejected', code: 'ROW_UNREADABLE', vin: null, line: 2 };
    const json = await previewed({ sample: `{"trucks": [${JSON.stringify(truck)}, null]}` });
    expect(json).toMatchObject({
      format: 'json',
      delimiter: null,
      verdict: { accepted: 1, rejected: 1, results: [unreadable, {}] },
    });
    expect(json.records).toEqual([{ ...flat, ...location }]);
    const zipped = gzipSync(toCsv([vin()])).toString('base64');
    expect(await previewed({ sample_base64: zipped })).toMatchObject({ verdict: { accepted: 1 } });
    expect((await previewed({ sample: '' })).verdict).toMatchObject({ rows: 0, accepted: 0, results: [] });
  });

  test('cuts long texts in what it shows', async () => {
    const sample = `VIN,Year,Make,Description\n${vin()},2019,Mack,${'long '.repeat(10_000)}\n`;
    const { body, text } = await preview({ sample });
    expect(body.verdict.accepted).toBe(1);
    expect(text.length).toBeLessThan(5_000);
  });
});

describe('what is wrong is answered with its field and what to do', () => {
  const sample = '<!doctype html><html></html>';
  const cut = gzipSync('VIN\n1').subarray(0, 15).toString('base64');
  const sftp = { url: 'sftp://10.0.0.1/a.csv', username: 'joe', password: 'very-secret-word' };
  const served = (content: number) => {
    const file = server.file();
    file.serve(content);
    return { url: file.url };
  };
  test.each<[string, object, object]>([
    ['no file', {}, { field: 'url' }],
    ['two files', { sample: 'a', url: 'https://a.test/x' }, { field: 'url' }],
    ['two samples', { sample: 'a', sample_base64: 'YQ==' }, { field: 'url' }],
    [
      'a web page',
      { sample },
      { field: 'sample', reason: 'web_page', fix: expect.any(String), retryable: false },
    ],
    ['a gzip that ends early', { sample_base64: cut }, { field: 'sample_base64', reason: 'file_truncated' }],
    ['no base64', { sample_base64: 'no base64!' }, { field: 'sample_base64' }],
    ['JSON that ends early', { sample: '[1', format: 'json' }, { reason: 'file_truncated' }],
    ['a file that is not there', served(404), { field: 'url', reason: 'not_found' }],
    ['a password that is wrong', served(401), { field: 'password', reason: 'auth_failed' }],
    ['a server that fails', served(503), { reason: 'http_status', retryable: true }],
    ['this machine', { url: 'https://127.0.0.1/a.csv' }, { reason: 'address_refused' }],
    ['this machine by IPv6', { url: 'https://[::1]/a.csv' }, { reason: 'address_refused' }],
    ['a cloud’s metadata', { url: 'https://169.254.169.254/a.csv' }, { reason: 'address_refused' }],
    ['a private SFTP server', sftp, { reason: 'address_refused' }],
    [
      'a mapping to what no record has',
      { sample: 'VIN\n1', mapping: { VIN: 'vim' } },
      { field: 'mapping.VIN' },
    ],
  ])('%s', async (_, body, details) => {
    const { status, body: answer } = await preview(body);
    expect([status, answer.error]).toMatchObject([400, { code: 'INVALID_PAYLOAD', details }]);
    expect(JSON.stringify(service.log)).not.toContain(sftp.password);
  });

  test('odd text in samples is no fault of ours', async () => {
    const odd = [
      '\u0000\u0001',
      '"',
      '"""',
      ',,,\n,,,\n',
      '{"a":1}',
      '[[[[',
      '\ud800,\udfff\n1,2',
      '<',
      '<a>',
    ];
    for (const each of [...odd, 'a\tb\n"\t"'])
      expect([200, 400], each).toContain((await preview({ sample: each })).status);
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

  test('fetch one file of an account at a time', async () => {
    const mayFetch = Promise.withResolvers<void>();
    const [fetching, most] = [new Map<string, number>(), new Map<string, number>()];
    const fetched = await startService((ports) => {
      const { feedSource, settings } = server.ports(ports);
      const fetch: typeof ports.feedSource.fetch = async (location, ...rest) => {
        const { url } = location;
        fetching.set(url, (fetching.get(url) ?? 0) + 1);
        most.set(url, Math.max(most.get(url) ?? 0, fetching.get(url) ?? 0));
        await mayFetch.promise;
        fetching.set(url, (fetching.get(url) ?? 0) - 1);
        return (feedSource ?? ports.feedSource).fetch(location, ...rest);
      };
      return { settings: settings ?? ports.settings, feedSource: { fetch } };
    });
    const files = [server.file(), server.file()] as const;
    for (const file of files) file.serve(toCsv([vin()]));
    const accounts = await Promise.all(files.map(() => fetched.newAccount()));
    const call = (index: 0 | 1) =>
      accounts[index]?.call('POST', '/v1/feeds/preview', { url: files[index].url });
    const calls = [call(0), call(0), call(1)];
    await vi.waitFor(() => expect([...fetching.keys()]).toHaveLength(2));
    mayFetch.resolve();
    for (const done of await Promise.all(calls)) expect(done?.status, done?.text).toBe(200);
    expect([...most.values()]).toEqual([1, 1]);
  });
});
