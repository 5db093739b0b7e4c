import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { cleanTrucks } from '../../support/samples/trucks.ts';
import { startService } from '../../support/service/service.ts';

const service = await startService();
const account = await service.newAccount();
await account.post({ records: cleanTrucks(5) });

describe('refused with INVALID_PARAMS, naming the parameter', () => {
  test.each<[string, string]>([
    ['q=', 'q'],
    ['q=%26%7C!', 'q'],
    ['q=a%00b', 'q'],
    [`q=${'x'.repeat(201)}`, 'q'],
    ['make=', 'make'],
    ['make=Ford,,Ram', 'make'],
    [`make=${Array.from({ length: 51 }, (_, at) => `m${at}`)}`, 'make'],
    [`make=${Array.from({ length: 50 }, () => 'x'.repeat(45))}`, 'make'],
    ['model=%00', 'model'],
    ['year_min=2020&year_max=2019', 'year_min'],
    ['class=2', 'class'],
    ['price_min=99999999999', 'price_min'],
    ['mileage_min=2&mileage_max=1', 'mileage_min'],
    ['condition=rusty', 'condition'],
    ['status=available,lost', 'status'],
    ['state=Atlantis', 'state'],
    ['updated_since=yesterday', 'updated_since'],
    ['updated_since=2026-01-01T10:00:00', 'updated_since'],
    ['near=00000', 'near'],
    ['near=Dallas', 'near'],
    ['near=91,0', 'near'],
    ['near=1,2,3', 'near'],
    ['near=78219&radius=1001', 'radius'],
    ['radius=10', 'radius'],
    ['body=dump', 'body'],
    ['sort=distance', 'sort'],
    ['sort=relevance', 'sort'],
    ['fields=vin,secret', 'fields'],
    ['limit=101', 'limit'],
    ['limit=1001&facets=false', 'limit'],
    ['cursor=nonsense', 'cursor'],
    [`cursor=${'x'.repeat(401)}`, 'cursor'],
    [`cursor=${Buffer.from('["a","b"]').toString('base64url')}`, 'cursor'],
  ])('%s', async (params, field) => {
    const answer = await account.call('GET', `/v1/inventory?${params}`);
    expect([answer.status, answer.body.error.code], answer.text).toEqual([400, 'INVALID_PARAMS']);
    expect(answer.body.error.details.field).toBe(field);
    expect(answer.body.error.details.reason).toEqual(expect.any(String));
  });

  test('a cursor of another search', async () => {
    const search = async (params: string) => (await account.call('GET', `/v1/inventory?${params}`)).body;
    const { next_cursor: cursor } = await search('limit=2&sort=price');
    expect((await search(`limit=3&sort=price&cursor=${cursor}`)).listings).toHaveLength(3);
    for (const params of ['sort=-price', 'sort=price&make=kw', 'sort=price&status=sold', '']) {
      const answer = await account.call('GET', `/v1/inventory?${params}&cursor=${cursor}`);
      expect([answer.status, answer.body.error.details.field], params).toEqual([400, 'cursor']);
    }
    const [signature, text] = [cursor.slice(0, 22), cursor.slice(22)];
    const walk = JSON.parse(inflateRawSync(Buffer.from(text, 'base64url')).toString());
    for (const key of ["1'; drop table listings", '1e9', 5, ['x'], '99999999999']) {
      const moved = JSON.stringify({ ...walk, after: { ...walk.after, key } });
      const forged = signature + deflateRawSync(moved).toString('base64url');
      const answer = await account.call('GET', `/v1/inventory?sort=price&cursor=${forged}`);
      expect([answer.status, answer.body.error.details.field], String(key)).toEqual([400, 'cursor']);
    }
  });
});

test('a plus sign that the URL has made a space is said to be one', async () => {
  const answer = await account.call('GET', '/v1/inventory?updated_since=2026-01-15T09:30:00+00:00');
  expect(answer.status).toBe(400);
  expect(answer.body.error.details).toMatchObject({
    field: 'updated_since',
    fix: expect.stringContaining('%2B'),
  });
});
