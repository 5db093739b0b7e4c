import { describe, expect, test } from 'vitest';
import { sweepIdempotencyKeys } from '../../../lib/http/idempotency.ts';
import { neverCommitting } from '../../support/postgres/answering.ts';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { cleanTruck, cleanTrucks } from '../../support/samples/trucks.ts';
import { queryRows, readTrace } from '../../support/service/database.ts';
import { type Answer, startService, type TestService } from '../../support/service/service.ts';

let choke = false;
const service = await startService((ports) => ({
  geocoder: {
    locate: (places) => (choke ? Promise.reject(new Error('down')) : ports.geocoder.locate(places)),
  },
}));
const account = await service.newAccount();

let serial = 0;
const newKey = () => `key-${++serial}`;
const send = (method: string, path: string, json: unknown, key: string, as = account) =>
  as.call(method, path, json, { 'idempotency-key': key });
const post = (json: unknown, key: string, as = account) => send('POST', '/v1/inventory', json, key, as);
/** As it is stored: each API key has its own. */
const toStored = (key: string) => `${account.keyId} ${key}`;
const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';

/** One write of every endpoint that honours the header. */
const WRITES: [string, string, () => Promise<unknown> | unknown, number, string][] = [
  ['POST', '/v1/inventory', () => cleanTruck(), 201, 'VALIDATION_ERROR'],
  ['POST', '/v1/inventory?return=summary', () => ({ records: cleanTrucks(3) }), 200, 'VALIDATION_ERROR'],
  ['POST', '/v1/dealers', () => ({ slug: uniqueSlug(), name: 'X' }), 201, 'INVALID_PAYLOAD'],
  ['PATCH', '/v1/inventory', async () => ({ vin: await posted(), status: 'sold' }), 200, 'INVALID_PAYLOAD'],
  ['PATCH', '/v1/dealers', async () => ({ slug: await created(), name: 'Y' }), 200, 'INVALID_PAYLOAD'],
];
const posted = async () => {
  const truck = cleanTruck();
  await account.post(truck);
  return truck.vin;
};
const created = async () => {
  const slug = uniqueSlug();
  await account.call('POST', '/v1/dealers', { slug, name: 'X' });
  return slug;
};

const otherKey = async (): Promise<string> =>
  (await service.admin('POST', '/api/admin/keys', { account_id: account.id, kind: 'secret' })).body.key;

describe.each(WRITES)('%s %s', (method, path, body, status, code) => {
  test('again under its key is the same answer, byte for byte, and marked as a replay', async () => {
    const [json, key] = [await body(), newKey()];
    const first = await send(method, path, json, key);
    const second = await send(method, `/api${path}`, json, key);
    expect([first.status, second.status], first.text).toEqual([status, status]);
    expect(second.text).toBe(first.text);
    expect([isReplay(first), isReplay(second)]).toEqual([false, true]);
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  });

  test('with another API key of the account it is another request, which runs', async () => {
    const [json, key] = [await body(), newKey()];
    const first = await send(method, path, json, key);
    const other = await otherKey();
    const second = await service.call(method, path, {
      token: other,
      json,
      headers: { 'idempotency-key': key },
    });
    expect(second.status, second.text).toBeLessThan(300);
    expect([isReplay(second), isReplay(await send(method, path, json, key))]).toEqual([false, true]);
    expect(first.status).toBe(status);
  });

  test('under a key of another request is refused with the route’s code and does nothing', async () => {
    const [json, key] = [await body(), newKey()];
    await send(method, path, json, key);
    const answer = await send(method, path, { ...(json as object), extra: 1 }, key);
    expect([answer.status, answer.body.error.code]).toEqual([400, code]);
    expect(answer.body.error.details).toMatchObject({ field: 'Idempotency-Key' });
  });

  test.each(['', ' ', 'a b', 'é', 'x'.repeat(256), 'a\tb'])(
    'under the malformed key %j is refused',
    async (key) => {
      const answer = await send(method, path, await body(), key);
      expect([answer.status, answer.body.error.code]).toEqual([400, code]);
    },
  );
});

test('the order of members makes no other request; the values do', async () => {
  const [truck, key] = [cleanTruck(), newKey()];
  await post(truck, key);
  expect(isReplay(await post(Object.fromEntries(Object.entries(truck).reverse()), key))).toBe(true);
  expect((await post({ ...truck, price: 50_000 }, key)).status).toBe(400);
});

test('a replay does nothing: what changed meanwhile stays', async () => {
  const [truck, key] = [cleanTruck(), newKey()];
  await post(truck, key);
  await account.post({ ...truck, price: 50_000 });
  const before = await readTrace(account.id, truck.vin);
  expect((await post(truck, key)).body.outcome).toBe('created');
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
  const again = await post({ records }, key);
  expect(isReplay(again)).toBe(false);
  expect(again.body.summary).toMatchObject({ created: 1, unchanged: 1, rejected: 0 });
  expect(isReplay(await post({ records }, key))).toBe(true);
});

test('when the work rolls back nothing of it is kept, neither the answer nor the listing', async () => {
  const broken = await startService(({ db }) => ({ db: neverCommitting(db) }));
  const [truck, key] = [cleanTruck(), newKey()];
  const call = (from: TestService) =>
    from.call('POST', '/v1/inventory', {
      token: account.key,
      json: truck,
      headers: { 'idempotency-key': key },
    });
  expect((await call(broken)).status).toBe(500);
  expect(await readTrace(account.id, truck.vin)).toEqual([]);
  expect(
    await queryRows('select 1 from idempotency_keys where key = $1 and account_id = $2', [
      toStored(key),
      account.id,
    ]),
  ).toEqual([]);
  expect((await call(service)).status).toBe(201);
});

test('after 24 hours the key is free again, not a second before, and the sweep forgets it', async () => {
  const shift = (key: string, by: string) =>
    queryRows(
      `update idempotency_keys set created_at = now() - $3::interval where account_id = $1 and key = $2`,
      [account.id, toStored(key), by],
    );
  const [truck, key] = [cleanTruck(), newKey()];
  await post(truck, key);
  await shift(key, '23 hours 59 minutes');
  expect(isReplay(await post(truck, key))).toBe(true);
  await shift(key, '24 hours 1 second');
  const answer = await post({ ...truck, price: 50_000 }, key);
  expect([answer.status, answer.body.outcome, isReplay(answer)]).toEqual([200, 'merged', false]);
  expect(isReplay(await post({ ...truck, price: 50_000 }, key))).toBe(true);
  const kept = newKey();
  await post(cleanTruck(), kept);
  await shift(key, '24 hours 1 second');
  expect(await sweepIdempotencyKeys(service.ports.db)).toBeGreaterThanOrEqual(1);
  const left = await queryRows('select key from idempotency_keys where account_id = $1 and key = any($2)', [
    account.id,
    [toStored(key), toStored(kept)],
  ]);
  expect(left).toEqual([{ key: toStored(kept) }]);
});

test('a dry run leaves its key free for the real request', async () => {
  const [truck, key] = [cleanTruck(), newKey()];
  const dry = () => send('POST', '/v1/inventory?dry_run=true', truck, key);
  expect((await dry()).body).toMatchObject({ outcome: 'created', dry_run: true });
  expect(isReplay(await dry())).toBe(false);
  expect(await readTrace(account.id, truck.vin)).toEqual([]);
  expect((await post(truck, key)).status).toBe(201);
  expect(isReplay(await post(truck, key))).toBe(true);
});
