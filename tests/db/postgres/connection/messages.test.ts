import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectTo, createPorts } from '../../../../lib/connect.ts';
import { openPg } from '../../../../lib/db/connection/pool.ts';
import { JOB_KINDS } from '../../../../lib/db/jobs/queue.ts';
import { migrate } from '../../../../lib/db/migrations/migrate.ts';
import { readEnv } from '../../../../lib/env.ts';
import { createApp } from '../../../../lib/local/app.ts';
import { usePostgres } from '../../../support/postgres/postgres.ts';
import { startWireCounter, type WireCounter } from '../../../support/postgres/wire-counter.ts';
import { goodTruck } from '../../../support/service/service.ts';

const ADMIN_TOKEN = 'operator';
let wire: WireCounter;
type Send = (
  method: string,
  path: string,
  token: string,
  json?: unknown,
  idempotencyKey?: string,
) => Promise<Response>;
let fetchAs: Send;
/** The same for what succeeds. */
let send: Send;
let restart: () => Promise<void>;

/** Time stands still: what is warm stays so, however long a busy machine takes for a batch. */
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  return () => void vi.useRealTimers();
});

/** A fresh process' worth of ports: nothing remembered, no connection open. */
beforeAll(async () => {
  wire = await startWireCounter(await (await usePostgres()).createDatabase());
  const direct = openPg({ url: wire.url });
  await migrate(direct);
  await direct.close();
  const app = createApp();
  const env = readEnv({ POSTGRES_URL: wire.url, ADMIN_TOKEN, LOG: 'silent', VERCEL: '1' });
  // Jobs that start after an answer have messages of their own.
  const opened = () => {
    const ports = createPorts(env);
    return {
      ...ports,
      settings: { ...ports.settings, restingJobs: new Set(JOB_KINDS) },
      callCounts: { ...ports.callCounts, writtenMs: Number.POSITIVE_INFINITY },
    };
  };
  let ports = opened();
  restart = async () => {
    await ports.db.close();
    ports = opened();
  };
  fetchAs = async (method, path, token, json, idempotencyKey) => {
    connectTo(ports);
    const body = json === undefined ? null : JSON.stringify(json);
    const headers = new Headers({ authorization: `Bearer ${token}` });
    if (idempotencyKey) headers.set('idempotency-key', idempotencyKey);
    return app.fetch(new Request(`http://trucks.test${path}`, { method, headers, body }));
  };
  send = async (...call) => {
    const response = await fetchAs(...call);
    expect(response.status, await response.clone().text()).toBeLessThan(300);
    return response;
  };
  return async () => {
    await ports.db.close();
  };
});

afterAll(() => wire.close());

async function newKey(tier = 'pro'): Promise<string> {
  const account = await send('POST', '/api/admin/accounts', ADMIN_TOKEN, {
    name: 'M',
    tier,
    limit_multiplier: 100,
  });
  const { id } = (await account.json()) as { id: string };
  const key = await send('POST', '/api/admin/keys', ADMIN_TOKEN, { account_id: id, kind: 'secret' });
  return ((await key.json()) as { key: string }).key;
}

/** Messages to PostgreSQL that one request costs. */
async function countMessages(request: () => Promise<unknown>): Promise<number> {
  wire.reset();
  await request();
  return wire.count();
}

test.each([1, 500])(
  'a batch of %i changed records costs at most 4 messages with cold authentication, 2 warm',
  async (size) => {
    const key = await newKey();
    const trucks = Array.from({ length: size }, () => goodTruck());
    const post = (price: number) =>
      send('POST', '/v1/inventory', key, { records: trucks.map((truck) => ({ ...truck, price })) });
    await restart();
    expect(await countMessages(() => post(50_000))).toBeLessThanOrEqual(4);
    expect(await countMessages(() => post(51_000))).toBe(2);
    expect(await countMessages(() => post(52_000))).toBe(2);
  },
);

test('an all-unchanged batch costs at most 2 messages', async () => {
  const key = await newKey();
  const records = Array.from({ length: 500 }, () => goodTruck());
  await send('POST', '/v1/inventory', key, { records });
  expect(await countMessages(() => send('POST', '/v1/inventory', key, { records }))).toBeLessThanOrEqual(2);
});

test.each([1, 500])('a change of status of %i listings costs 1 message warm', async (size) => {
  const key = await newKey();
  const trucks = Array.from({ length: size }, () => goodTruck());
  await send('POST', '/v1/inventory', key, { records: trucks });
  const change = (status: string) =>
    send('PATCH', '/v1/inventory', key, { records: trucks.map(({ vin }) => ({ vin, status })) });
  await change('delisted');
  expect(await countMessages(() => change('sold'))).toBe(1);
});

test.each([1, 500])('a batch of %i under an Idempotency-Key costs 6 messages', async (size) => {
  const key = await newKey();
  const post = (unique: string) =>
    send('POST', '/v1/inventory', key, { records: Array.from({ length: size }, () => goodTruck()) }, unique);
  await post('warm');
  expect(await countMessages(() => post('first'))).toBe(6);
});

test.each(['starter', 'pro'])('GET by VIN of a %s account costs 1 message warm', async (tier) => {
  const key = await newKey(tier);
  const truck = goodTruck();
  await send('POST', '/v1/inventory', key, truck);
  expect(await countMessages(() => send('GET', `/v1/inventory/${truck.vin}`, key))).toBe(1);
});

test('the counter counts: ten reads cost ten messages', async () => {
  const key = await newKey('starter');
  const truck = goodTruck();
  await send('POST', '/v1/inventory', key, truck);
  const reads = async () => {
    for (let n = 0; n < 10; n += 1) await send('GET', `/v1/inventory/${truck.vin}`, key);
  };
  expect(await countMessages(reads)).toBe(10);
});
