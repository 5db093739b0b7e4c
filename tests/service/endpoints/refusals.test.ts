import { expect, test } from 'vitest';
import { describeService } from '../../../scripts/docs/describe-service.ts';
import { goodTruck, startService } from '../../support/service/service.ts';

/** `fix` says what to send, and `reason` is the same for the same fault on every route. */

const service = await startService();
const account = await service.newAccount({ limit_multiplier: 10 });
const details = async (path: string) => (await account.call('GET', path)).body.error.details;

test('a page that is too large is out_of_range on every list, and the number is shown', async () => {
  for (const list of ['dealers', 'leads', 'issues', 'feeds', 'inventory'])
    expect(await details(`/v1/${list}?limit=100000`), list).toMatchObject({
      field: 'limit',
      reason: 'out_of_range',
      received: 100_000,
    });
});

test('a bad cursor or field says what to send instead', async () => {
  expect(await details('/v1/inventory?cursor=nonsense')).toMatchObject({
    field: 'cursor',
    reason: 'malformed',
    received: 'nonsense',
    fix: expect.stringContaining('next_cursor'),
  });
  expect(await details('/v1/inventory?fields=vin,prize')).toMatchObject({
    field: 'fields',
    reason: 'not_allowed',
    received: 'prize',
    fix: expect.stringMatching(/^Send any of: .*\bprice\b/),
  });
  expect(await details('/media/abc/x.webp')).toMatchObject({ fix: expect.stringContaining('hexadecimal') });
});

test('every value that the document names for a filter is taken', async () => {
  interface Parameter {
    name: string;
    schema: { items?: { enum?: string[] } };
  }
  const { paths } = JSON.parse(JSON.stringify(await describeService()));
  const parameters: Parameter[] = paths['/v1/inventory'].get.parameters;
  const named = parameters.flatMap(({ name, schema }) => {
    const values = schema.items?.enum;
    // A filter takes 50 values.
    return [values?.slice(0, 50), values?.slice(50)].flatMap((some) => (some?.length ? [[name, some]] : []));
  });
  expect(named.length).toBeGreaterThan(10);
  for (const [name, values] of named)
    expect((await account.call('GET', `/v1/inventory?${name}=${values}`)).status, String(name)).toBe(200);
});

test.each([
  ['inventory?status=gone', 'status', 'not_allowed', 'gone'],
  ['inventory?class=class_1', 'class', 'not_allowed', 'class_1'],
  ['inventory?year=2020,abc', 'year', 'not_allowed', 'abc'],
  ['inventory?currency=EUR', 'currency', 'not_allowed', 'EUR'],
  ['inventory?rear_wheels=foo', 'rear_wheels', 'not_allowed', 'foo'],
  ['inventory?near=xx', 'near', 'not_allowed', 'xx'],
  ['inventory?year_min=2021&year_max=2020', 'year_min', 'conflicting', 2021],
  ['dealers?cursor=abc', 'cursor', 'malformed', 'abc'],
  ['leads?phone=nobody-s', 'phone', 'malformed', 'nobody-s'],
  ['market-data/prices?class=class_1', 'class', 'not_allowed', 'class_1'],
  ['market-data/prices?year_min=2021&year_max=2020', 'year_min', 'conflicting', 2021],
])(
  '%s: the value at fault is shown, with the same reason everywhere',
  async (path, field, reason, received) => {
    expect(await details(`/v1/${path}`)).toMatchObject({ field, reason, received });
  },
);

test.each([
  [{ url: 'http://dms.example/x.csv' }, 'url', 'url_refused', 'http://dms.example/x.csv'],
  [{ cadence_minutes: 5 }, 'cadence_minutes', 'out_of_range', 5],
  [{ mapping: { A: 'nonsense' } }, 'mapping.A', 'not_allowed', 'nonsense'],
  [{ dealer: 'nobody' }, 'dealer', 'not_allowed', 'nobody'],
  [{ url: 'sftp://dms.example/x.csv' }, 'username', 'missing', undefined],
])('the same of a feed: %j', async (change, field, reason, received) => {
  const feed = { name: 'A', url: 'https://dms.example/x.csv', ...change };
  const { details } = (await account.call('POST', '/v1/feeds', feed)).body.error;
  expect([details.field, details.reason, details.received]).toEqual([field, reason, received]);
});

test.each([
  ['inventory/1XKYD49X0KJ999999', 'vin', 'VIN'],
  ['dealers/nobody', 'slug', 'slug'],
  ['leads/lead_000000000000000000000000', 'id', 'lead'],
  ['feeds/feed_000000000000000000000000', 'id', 'feed'],
  ['feeds/feed_000000000000000000000000/runs/run_000000000000000000000000', 'run', 'run'],
])('%s: what is absent says which of the names to look at', async (path, field, word) => {
  const { fix, ...rest } = await details(`/v1/${path}`);
  expect(rest).toMatchObject({ field, reason: 'not_found' });
  expect(fix).toContain(word);
  expect(fix).not.toContain('VIN, slug, id or path');
});

test('the refusal of a path that is no route says where the routes stand', async () => {
  expect(await details('/v1/trucks')).toMatchObject({ fix: expect.stringContaining('/openapi.json') });
});

test('the refusal of a price sent to the route for the status says where prices go', async () => {
  const { vin } = goodTruck();
  for (const json of [
    { vin, price: 4 },
    { vin, status: 'available' },
  ]) {
    const { body } = await account.call('PATCH', '/v1/inventory', json);
    expect(body.error).toMatchObject({ code: 'INVALID_STATUS', details: { field: 'status' } });
    expect(body.error.details.fix).toContain('post it');
  }
});

test('where one of a few values is missing, the fix names them', async () => {
  const run = '/v1/feeds/feed_000000000000000000000000/runs/run_000000000000000000000000';
  expect(await details(`${run}/changes`)).toMatchObject({
    field: 'kind',
    reason: 'missing',
    fix: expect.stringMatching(/^Add kind: one of .*\bdelisted\b/),
  });
  const { body } = await account.call('PATCH', '/v1/leads/lead_000000000000000000000000', {});
  expect(body.error.details.fix).toBe('Add status: one of new, contacted, closed.');
});

test('a required member under another spelling is named, not called missing', async () => {
  const lead = { message: 'Hello?', dealer_slug: 'a', visitorId: 'v-1', email: 'jane@visitor.example' };
  const { body } = await account.call('POST', '/v1/widget/lead', lead);
  expect(body.error).toMatchObject({
    code: 'INVALID_BODY',
    details: { field: 'dealer_slug', reason: 'unknown_field', fix: expect.stringContaining('dealerSlug') },
  });
});

test('a default of a feed under a misspelt name is refused, and one of the dealer’s own is not', async () => {
  const feed = { name: 'A', url: 'https://dms.example/x.csv' };
  const slip = await account.call('POST', '/v1/feeds', { ...feed, defaults: { clas: 'class_8' } });
  const sample = { sample: 'VIN,Year,Make\n', defaults: { clas: 'class_8' } };
  const preview = await account.call('POST', '/v1/feeds/preview', sample);
  for (const { body } of [slip, preview])
    expect(body.error?.details).toMatchObject({ field: 'defaults.clas', reason: 'unknown_field' });
  for (const defaults of [{ class: 'class_8', modelYear: 2020 }, { warranty: 'none' }])
    expect((await account.call('POST', '/v1/feeds', { ...feed, defaults })).status).toBe(201);
});

test.each(['Records', 'record', 'recrods'])('a batch under %s is no record without a vin', async (name) => {
  const { status, body } = await account.post({ [name]: [goodTruck()] });
  expect([status, body.error.code]).toEqual([400, 'INVALID_PAYLOAD']);
  expect(body.error.details).toMatchObject({ field: name, reason: 'unknown_field' });
  expect(body.error.details.fix).toContain('records');
});
