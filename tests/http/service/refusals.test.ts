import { expect, test } from 'vitest';
import { describeService } from '../../../scripts/docs/describe-service.ts';
import { goodTruck, startService } from '../../support/service/service.ts';

/** `fix` says what to send, and `reason` is the same for the same fault on every route. */

const service = await startService();
const account = await service.newAccount({ limit_multiplier: 10 });
const refuse = async (call: string, json?: object) => {
  const [method = '', path = ''] = call.split(' ');
  return (await account.call(method, path, json)).body.error;
};
const says = (pattern: RegExp) => expect.stringMatching(pattern);

test('a page that is too large is out_of_range on every list, and the number is shown', async () => {
  for (const list of ['dealers', 'leads', 'issues', 'feeds', 'inventory'])
    expect((await refuse(`GET /v1/${list}?limit=100000`)).details, list).toMatchObject({
      field: 'limit',
      reason: 'out_of_range',
      received: 100_000,
    });
});

test('every value that the document names for a filter is taken', async () => {
  interface Parameter {
    name: string;
    schema: { items?: { enum?: string[] } };
  }
  const { paths } = JSON.parse(JSON.stringify(await describeService()));
  const parameters: Parameter[] = paths['/v1/inventory'].get.parameters;
  const faulty = parameters.flatMap(({ name, schema }) => {
    const values = schema.items?.enum;
    // A filter takes 50 values.
    return [values?.slice(0, 50), values?.slice(50)].flatMap((some) => (some?.length ? [[name, some]] : []));
  });
  expect(faulty.length).toBeGreaterThan(9);
  for (const [name, values] of faulty)
    expect((await account.call('GET', `/v1/inventory?${name}=${values}`)).status, String(name)).toBe(200);
});

const RUN = '/v1/feeds/feed_000000000000000000000000/runs/run_000000000000000000000000';
const FEED = { name: 'A', url: 'https://dms.example/x.csv' };
const LEAD = { message: 'Hello?', visitorId: 'v-1', email: 'jane@visitor.example' };

test.each([
  ['GET /v1/inventory?status=gone', 'status', 'not_allowed', 'gone'],
  ['GET /v1/inventory?class=class_1', 'class', 'not_allowed', 'class_1'],
  ['GET /v1/inventory?year=2020,abc', 'year', 'not_allowed', 'abc'],
  ['GET /v1/inventory?currency=EUR', 'currency', 'not_allowed', 'EUR'],
  ['GET /v1/inventory?rear_wheels=foo', 'rear_wheels', 'not_allowed', 'foo'],
  ['GET /v1/inventory?near=xx', 'near', 'not_allowed', 'xx'],
  ['GET /v1/inventory?year_min=2021&year_max=2020', 'year_min', 'conflicting', 2021],
  ['GET /v1/dealers?cursor=abc', 'cursor', 'malformed', 'abc'],
  ['GET /v1/leads?phone=nobody-s', 'phone', 'malformed', 'nobody-s'],
  ['GET /v1/market-data/prices?class=class_1', 'class', 'not_allowed', 'class_1'],
  ['GET /v1/market-data/prices?year_min=2021&year_max=2020', 'year_min', 'conflicting', 2021],
  ['POST /v1/feeds', 'url', 'url_refused', 'http://dms.example/x.csv', { url: 'http://dms.example/x.csv' }],
  ['POST /v1/feeds', 'cadence_minutes', 'out_of_range', 5, { cadence_minutes: 5 }],
  ['POST /v1/feeds', 'mapping.A', 'not_allowed', 'nonsense', { mapping: { A: 'nonsense' } }],
  ['POST /v1/feeds', 'dealer', 'not_allowed', 'nobody', { dealer: 'nobody' }],
  ['POST /v1/feeds', 'username', 'missing', undefined, { url: 'sftp://dms.example/x.csv' }],
] as [string, string, string, unknown, object?][])(
  '%s: the value at fault is shown, with the same reason everywhere',
  async (call, field, reason, received, change) => {
    const { details } = await refuse(call, change && { ...FEED, ...change });
    expect([details.field, details.reason, details.received]).toEqual([field, reason, received]);
  },
);

test.each([
  ['GET /v1/inventory?cursor=nonsense', 'cursor', /next_cursor/],
  ['GET /v1/inventory?fields=vin,prize', 'fields', /^Send any of: .*\bprice\b/],
  ['GET /media/abc/x.webp', 'hash', /hexadecimal/],
  ['GET /v1/inventory/1XKYD49X0KJ999999', 'vin', /VIN(?!, slug)/],
  ['GET /v1/dealers/nobody', 'slug', /slug(?!, id)/],
  ['GET /v1/leads/lead_000000000000000000000000', 'id', /lead/],
  ['GET /v1/feeds/feed_000000000000000000000000', 'id', /feed/],
  [`GET ${RUN}`, 'run', /run/],
  ['GET /v1/trucks', undefined, /openapi\.json/],
  [`GET ${RUN}/changes`, 'kind', /^Add kind: one of .*\bdelisted\b/],
  [
    'PATCH /v1/leads/lead_000000000000000000000000',
    'status',
    /^Add status: one of new, contacted, closed\.$/,
    {},
  ],
  ['PATCH /v1/inventory', 'status', /POST it/, { vin: goodTruck().vin, price: 4 }],
  ['PATCH /v1/inventory', 'status', /POST it/, { vin: goodTruck().vin, status: 'available' }],
  ['POST /v1/widget/lead', 'dealer_slug', /dealerSlug/, { ...LEAD, dealer_slug: 'a' }],
  ['POST /v1/feeds', 'defaults', /fields of the inventory/, { ...FEED, defaults: { clas: 'class_8' } }],
  [
    'POST /v1/feeds/preview',
    'defaults',
    /fields of the inventory/,
    { sample: 'VIN,Year,Make\n', defaults: { clas: 'class_8' } },
  ],
] as [string, string | undefined, RegExp, object?][])(
  '%s: the fix says what to send in place of %s',
  async (call, field, fix, json) => {
    const { details } = await refuse(call, json);
    expect([details.field, details.fix]).toEqual([field, says(fix)]);
  },
);

test.each(['Records', 'record', 'recrods'])('a batch under %s is no record without a vin', async (name) => {
  const { status, body } = await account.post({ [name]: [goodTruck()] });
  expect([status, body.error.code]).toEqual([400, 'INVALID_PAYLOAD']);
  expect(body.error.details).toMatchObject({ field: name, reason: 'unknown_field' });
  expect(body.error.details.fix).toContain('records');
});
