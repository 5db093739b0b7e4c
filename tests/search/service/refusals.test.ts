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
    ['make=Ford,,Ram', 'make'],
    [`make=${Array.from({ length: 51 }, (_, at) => `m${at}`)}`, 'make'],
    [`make=${Array.from({ length: 50 }, () => 'x'.repeat(45))}`, 'make'],
    ['mileage_min=2&mileage_max=1', 'mileage_min'],
    ['status=available,lost', 'status'],
    ['state=Atlantis', 'state'],
    ['updated_since=2026-01-01T10:00:00', 'updated_since'],
    ['near=00000', 'near'],
    ['near=91,0', 'near'],
    ['near=78219&radius=1001', 'radius'],
    ['radius=10', 'radius'],
    ['body=dump', 'body'],
    ['sort=distance', 'sort'],
    ['limit=101', 'limit'],
    ['limit=1001&facets=false', 'limit'],
    [`cursor=${'x'.repeat(401)}`, 'cursor'],
    [`cursor=${Buffer.from('["a","b"]').toString('base64url')}`, 'cursor'],
  ])('%s', async (params, field) => {
    const { status, body } = await account.call('GET', `/v1/inventory?${params}`);
    const details = { field, reason: expect.any(String) };
    expect([status, body.error]).toMatchObject([400, { code: 'INVALID_PARAMS', details }]);
  });

  test('a cursor of another search, or a forged one', async () => {
    const search = (params: string) => account.call('GET', `/v1/inventory?${params}`);
    const { next_cursor: cursor } = (await search('limit=2&sort=price')).body;
    expect((await search(`sort=price&cursor=${cursor}`)).body.listings).toHaveLength(3);
    const [signature, text] = [cursor.slice(0, 22), cursor.slice(22)];
    const walk = JSON.parse(inflateRawSync(Buffer.from(text, 'base64url')).toString());
    const forge = (key: unknown) => {
      const position = JSON.stringify({ ...walk, after: { ...walk.after, key } });
      return `sort=price&cursor=${signature}${deflateRawSync(position).toString('base64url')}`;
    };
    const others = ['sort=-price', 'sort=price&make=kw', ''].map((params) => `${params}&cursor=${cursor}`);
    for (const params of [...others, ...["1'; drop table listings", 5].map(forge)]) {
      const { status, body } = await search(params);
      expect([status, body.error.details.field], params).toEqual([400, 'cursor']);
    }
  });
});

test('an error says that the URL turned a plus sign into a space', async () => {
  const { body } = await account.call('GET', '/v1/inventory?updated_since=2026-01-15T09:30:00+00:00');
  const fix = expect.stringContaining('%2B');
  expect(body).toMatchObject({ error: { details: { field: 'updated_since', fix } } });
});
