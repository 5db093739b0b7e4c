import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { startFeedServer } from '../../support/servers/feed-server.ts';
import { goodTruck, startService } from '../../support/service/service.ts';

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

test('a preview answers the format, the field of each column, the first records and the verdict, and stores nothing', async () => {
  const [first, second] = [vin(), vin()];
  const rejected = { line: 4, code: 'VIN_LENGTH', field: 'vin', fix: expect.any(String) };
  const file = server.file();
  file.serve(toCsv([first, second, 'TOO-SHORT']));
  const { columns, ...body } = await previewed({ url: file.url });
  expect(body).toMatchObject({
    format: 'csv',
    encoding: 'utf-8',
    delimiter: ',',
    verdict: {
      rows: 3,
      complete: true,
      rejected: 1,
      created: 2,
      rejects_by_code: { VIN_LENGTH: 1 },
      rejects: [rejected],
    },
  });
  const fields = ['stock_number', 'vin', 'year', 'make', 'model', 'price', null, 'class', 'images', null];
  expect(columns.map(({ field }: { field: string | null }) => field)).toEqual(fields);
  expect(columns[0]).toMatchObject({ kept: false, confidence: 1, examples: ['U0', 'U1', 'U2'] });
  expect(columns[3].confidence).toBeLessThan(1);
  expect(body.records[0]).toMatchObject({
    vin: first,
    price: 'Call',
    images: ['https://img.test/0a.jpg', 'https://img.test/0b.jpg'],
    attributes: { Fairings: '72 in' },
  });
  expect((await account.call('GET', `/v1/inventory/${first}`)).status).toBe(404);
  expect((await account.call('GET', '/v1/feeds')).body.feeds).toEqual([]);
});

test('the dealer’s word goes before guesses, and the class comes from the VIN only when asked for', async () => {
  const truck = { vin: '1FDNF6AY5JDF00001', year: '2018', make: 'Ford' };
  const sample = `VIN,Year,Make,Price,Cash,Hidden\n${Object.values(truck)},0,61000,secret\n`;
  const guessed = await previewed({ sample });
  const attributes = { Cash: '61000', Hidden: 'secret' };
  expect(guessed.records).toEqual([{ ...truck, price: null, attributes }]);
  const mapping = { cash: 'price', Hidden: null };
  const defaults = { class: 'class_3', color: 'White' };
  const mapped = await previewed({ sample, mapping, defaults, class_from_vin: true });
  const fields = { price: '61000', color: 'White', class: 'class_6' };
  expect(mapped.records).toEqual([{ ...truck, ...fields, attributes: { Price: '0', class_source: 'vin' } }]);
  expect(mapped.verdict.rejected).toBe(0);
});

test('the first 500 rows are judged, and the answer says that there are more', async () => {
  const rows = Array.from({ length: 510 }, (_, index) => `BAD${index},2019,Mack`);
  const { verdict, records } = await previewed({ sample: `VIN,Year,Make\n${rows.join('\n')}\n` });
  expect(verdict).toMatchObject({ rows: 500, complete: false, rejected: 500 });
  expect([verdict.rejects.length, records.length]).toEqual([500, 5]);
});

test('a sample may be no text, hold a row that cannot be read, or none', async () => {
  const truck = { vin: vin(), year: 2019, make: 'Mack' };
  const trucks = [{ ...truck, location: { city: 'Waco' } }, null];
  const sample_base64 = gzipSync(JSON.stringify({ trucks })).toString('base64');
  const unreadable = { code: 'ROW_UNREADABLE', vin: null, line: 2 };
  expect(await previewed({ sample_base64 })).toMatchObject({
    format: 'json',
    delimiter: null,
    records: [{ ...truck, city: 'Waco' }],
    verdict: { created: 1, rejected: 1, rejects: [unreadable] },
  });
  expect((await previewed({ sample: '' })).verdict).toMatchObject({ rows: 0, rejects: [] });
});

test('long texts are cut in what is shown', async () => {
  const sample = `VIN,Year,Make,Description\n${vin()},2019,Mack,${'long '.repeat(10_000)}\n`;
  const { body, text } = await preview({ sample });
  expect(body.verdict.created).toBe(1);
  expect(text.length).toBeLessThan(5_000);
});

describe('what is wrong is answered with its field and what to do', () => {
  const cut = gzipSync('VIN\n1').subarray(0, 15).toString('base64');
  const sftp = { url: 'sftp://10.0.0.1/a.csv', username: 'joe', password: 'very-secret-word' };
  const served = (content: number) => {
    const file = server.file();
    file.serve(content);
    return { url: file.url };
  };
  test.each<[string, object, object]>([
    ['no file', {}, { field: 'url' }],
    ['two samples', { sample: 'a', sample_base64: 'YQ==' }, { field: 'url' }],
    [
      'a web page',
      { sample: '<!doctype html><html></html>' },
      { field: 'sample', reason: 'web_page', fix: expect.any(String), retryable: false },
    ],
    ['a gzip that ends early', { sample_base64: cut }, { field: 'sample_base64', reason: 'file_truncated' }],
    ['a password that is wrong', served(401), { field: 'password', reason: 'auth_failed' }],
    ['a server that fails', served(503), { field: 'url', reason: 'http_status' }],
    ['a private server', sftp, { reason: 'address_refused' }],
  ])('%s', async (_, body, details) => {
    const { status, body: answer } = await preview(body);
    expect([status, answer.error]).toMatchObject([400, { code: 'INVALID_PAYLOAD', details }]);
    expect(JSON.stringify(service.log)).not.toContain(sftp.password);
  });
});

test('three files are fetched and read at a time, one of an account; who has no turn in time gets Retry-After', async () => {
  const gate = Promise.withResolvers<void>();
  /** Of each file that is being fetched or read its URL, by its path here. */
  const busy = new Map<string, string>();
  const gated = await startService((base) => {
    const { feedSource = base.feedSource, ...ports } = server.ports(base);
    return {
      ...ports,
      feedSource: {
        fetch(location, conditions, path, limits) {
          busy.set(path, location.url);
          return feedSource.fetch(location, conditions, path, limits);
        },
      },
      feedFiles: {
        rows: (part) => base.feedFiles.rows(part),
        async open(path, ...rest) {
          await gate.promise;
          const file = await base.feedFiles.open(path, ...rest);
          async function* parts() {
            try {
              yield* file.parts();
            } finally {
              busy.delete(path);
            }
          }
          return { ...file, parts };
        },
      },
    };
  });
  const offer = async () => {
    const owner = await gated.newAccount();
    const file = server.file();
    file.serve(toCsv([vin()]));
    return { ...file, call: () => owner.call('POST', '/v1/feeds/preview', { url: file.url }) };
  };
  const [one, two, three, four] = [await offer(), await offer(), await offer(), await offer()];
  const expectBusy = (...files: { url: string }[]) =>
    vi.waitFor(() => expect([...busy.values()].sort()).toEqual(files.map(({ url }) => url).sort()), 30_000);
  const first = [one.call(), one.call(), two.call()];
  await expectBusy(one, two);
  first.push(three.call());
  await expectBusy(one, two, three);
  const response = await four.call();
  expect([response.status, response.body.error.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  const waitingCall = four.call();
  gate.resolve();
  const responses = await Promise.all([...first, waitingCall]);
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429]);
  await expectBusy();
});
