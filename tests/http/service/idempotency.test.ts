import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../../lib/routes.ts';
import { neverCommitting } from '../../support/postgres/answering.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { queryRows, readTrace } from '../../support/service/database.ts';
import { expectRefused, sampleFor, sendTo } from '../../support/service/endpoint-calls.ts';
import { type Answer, type Call, startService } from '../../support/service/service.ts';

let choke = false;
const service = await startService((ports) => ({
  geocoder: {
    locate: (places) => (choke ? Promise.reject(new Error('down')) : ports.geocoder.locate(places)),
  },
}));
const account = await service.newAccount();

let serial = 0;
const newKey = () => `key-${++serial}`;
const post = (json: unknown, key: string) =>
  account.call('POST', '/v1/inventory', json, { 'idempotency-key': key });
const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';

describe.each(ENDPOINTS.filter(({ idempotent }) => idempotent))('$id', (endpoint) => {
  const stage = { service, account };
  const code = endpoint.bodyCode ?? 'INVALID_PAYLOAD';

  test('again under its key is the same answer, byte for byte; by another API key or with another body it is not', async () => {
    const { path, json } = await sampleFor(stage, endpoint);
    const headers = { 'idempotency-key': newKey() };
    const ask = (call: Call = {}) => sendTo(stage, endpoint, { path, json }, { headers, ...call });
    const [first, second] = [
      await ask(),
      await sendTo(stage, endpoint, { path: `/api${path}`, json }, { headers }),
    ];
    expect(first.status, first.text).toBeLessThan(300);
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect([isReplay(first), isReplay(second)]).toEqual([false, true]);
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    const key = { account_id: account.id, kind: 'secret' };
    const other = await ask({ token: (await service.admin('POST', '/api/admin/keys', key)).body.key });
    expect(other.status, other.text).toBeLessThan(300);
    expect([isReplay(other), isReplay(await ask())]).toEqual([false, true]);
    const another = await ask({ json: { ...(json as object), name: 'Another' } });
    expectRefused(another, 400, code);
    expect(another.body.error.details).toMatchObject({ field: 'Idempotency-Key' });
  });

  test('under a malformed key is refused', async () => {
    const sample = await sampleFor(stage, endpoint);
    for (const key of ['', 'a b', 'é', 'x'.repeat(256), 'a\tb'])
      expectRefused(
        await sendTo(stage, endpoint, sample, { headers: { 'idempotency-key': key } }),
        400,
        code,
      );
  });
});

test('a replay does nothing: what changed meanwhile stays; the order of members makes no other request, a value does', async () => {
  const [truck, key] = [cleanTruck(), newKey()];
  await post(truck, key);
  await account.post({ ...truck, price: 50_000 });
  const before = await readTrace(account.id, truck.vin);
  const replay = await post(Object.fromEntries(Object.entries(truck).reverse()), key);
  expect([replay.body.outcome, isReplay(replay)]).toEqual(['created', true]);
  expect((await post({ ...truck, price: 50_000 }, key)).status).toBe(400);
  expect(await readTrace(account.id, truck.vin)).toEqual(before);
});

test('concurrent requests under one key are executed once, and all get that answer', async () => {
  const [truck, key] = [cleanTruck(), newKey()];
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(truck, key)));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
  expect(await readTrace(account.id, truck.vin)).toMatchObject([{ version: 1, events: 1 }]);
});

test('a failure is not kept: the corrected request may use the same key', async () => {
  const [truck, key] = [cleanTruck(), newKey()];
  expect((await post({ ...truck, price: 1 }, key)).status).toBe(422);
  choke = true;
  expect((await post({ ...truck, zip: '78201' }, key)).status).toBe(422);
  choke = false;
  const answer = await post(truck, key);
  expect([answer.status, isReplay(answer)]).toEqual([201, false]);
});

test('a batch with retryable rejects is not kept: sent again under its key it is tried again', async () => {
  const [records, key] = [[cleanTruck(), cleanTruck({ zip: '78201' })], newKey()];
  choke = true;
  const first = await post({ records }, key);
  choke = false;
  expect(first.body.summary).toMatchObject({ created: 1, rejected: 1 });
  const repeat = await post({ records }, key);
  expect(isReplay(repeat)).toBe(false);
  expect(repeat.body.summary).toMatchObject({ created: 1, unchanged: 1, rejected: 0 });
  expect(isReplay(await post({ records }, key))).toBe(true);
});

test('when the work rolls back nothing of it is kept, neither the answer nor the listing', async () => {
  const broken = await startService(({ db }) => ({ db: neverCommitting(db) }));
  const [json, key] = [cleanTruck(), newKey()];
  const call = { token: account.key, json, headers: { 'idempotency-key': key } };
  expect((await broken.call('POST', '/v1/inventory', call)).status).toBe(500);
  expect(await readTrace(account.id, json.vin)).toEqual([]);
  const answer = await post(json, key);
  expect([answer.status, isReplay(answer)]).toEqual([201, false]);
});

test('after 24 hours the key is free again, not a second before', async () => {
  const [truck, key] = [cleanTruck(), newKey()];
  const shift = (by: string) =>
    queryRows(
      'update idempotency_keys set created_at = now() - $3::interval where account_id = $1 and key = $2',
      [account.id, `${account.keyId} ${key}`, by],
    );
  await post(truck, key);
  await shift('23 hours 59 minutes');
  expect(isReplay(await post(truck, key))).toBe(true);
  await shift('24 hours 1 second');
  const answer = await post({ ...truck, price: 50_000 }, key);
  expect([answer.status, answer.body.outcome, isReplay(answer)]).toEqual([200, 'merged', false]);
  expect(isReplay(await post({ ...truck, price: 50_000 }, key))).toBe(true);
});

test('a dry run leaves its key free for the real request', async () => {
  const [truck, key] = [cleanTruck(), newKey()];
  const headers = { 'idempotency-key': key };
  const dry = await account.call('POST', '/v1/inventory?dry_run=true', truck, headers);
  expect(dry.body).toMatchObject({ outcome: 'created', dry_run: true });
  expect(await readTrace(account.id, truck.vin)).toEqual([]);
  const answers = [await post(truck, key), await post(truck, key)];
  expect(answers.map(isReplay)).toEqual([false, true]);
});
