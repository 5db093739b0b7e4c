import { afterAll, expect, test, vi } from 'vitest';
import { openPg } from '../../../../lib/db/connection/pool.ts';
import { JOB_KINDS } from '../../../../lib/db/jobs/queue.ts';
import type { Flags } from '../../../../lib/outside/system.ts';
import { newDatabase } from '../../../support/postgres/suite-database.ts';
import { startWireCounter } from '../../../support/postgres/wire-counter.ts';
import { CRON_SECRET, goodTruck, startService } from '../../../support/service/service.ts';
import { provideStore } from '../../../support/service/store.ts';

/** Messages to PostgreSQL: of an idle deployment, and of requests. */

const wire = await startWireCounter(await newDatabase());
const sql = openPg({ url: wire.url });
provideStore({ sql, url: wire.url });
afterAll(async () => {
  await sql.close();
  await wire.close();
});

/** Time stands still: what is warm stays so, however long a busy machine takes. */
vi.useFakeTimers({ toFake: ['Date'] });
/** As a deployment without Redis has it. */
const noFlags: Flags = { isSet: async () => false, set: async () => undefined };
let flags = noFlags;

const shareFlags = () => {
  const endsAt = new Map<string, number>();
  flags = {
    isSet: async (name) => (endsAt.get(name) ?? 0) > Date.now(),
    set: async (name, seconds) => void endsAt.set(name, Date.now() + seconds * 1_000),
  };
};
const passTime = (minutes: number) => void vi.setSystemTime(Date.now() + minutes * 60_000);

/** A process that remembers nothing. */
const startFresh = () =>
  startService(({ settings, callCounts }) => ({
    // Jobs that start after an answer have messages of their own.
    settings: { ...settings, restingJobs: new Set(JOB_KINDS) },
    callCounts: { ...callCounts, writtenMs: Number.POSITIVE_INFINITY },
    flags: { isSet: (name) => flags.isSet(name), set: (name, seconds) => flags.set(name, seconds) },
  }));
const service = await startFresh();

async function countMessages(request: () => Promise<unknown>): Promise<number> {
  // What goes on after an answer is not the next request's.
  await service.settled();
  wire.reset();
  await request();
  return wire.count();
}

const callCron = async () =>
  (await service.call('GET', '/api/cron/due', { token: CRON_SECRET })).body.result.due;

/** The cron of so many minutes, with nothing due; returns the messages that each of them cost. */
async function passMinutes(minutes: number): Promise<number[]> {
  const costs: number[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    costs.push(await countMessages(async () => expect(await callCron()).toEqual([])));
    passTime(1);
  }
  return costs;
}

const sum = (costs: readonly number[]) => costs.reduce((total, cost) => total + cost, 0);

test('an idle deployment asks its database once a minute, and once an hour where instances share flags', async () => {
  const dead = () => Promise.reject(new Error('ECONNREFUSED'));
  for (const none of [noFlags, { isSet: dead, set: dead }]) {
    flags = none;
    expect(await passMinutes(3)).toEqual([1, 1, 1]);
  }
  shareFlags();
  expect(sum(await passMinutes(180))).toBe(3);
});

test('it is asked every minute for as long as a writer’s function may run, and when the first job is due', async () => {
  shareFlags();
  await passMinutes(2);
  const account = await service.newAccount();
  expect(await passMinutes(8)).toEqual([1, 1, 1, 1, 1, 1, 0, 0]);
  await account.call('GET', '/v1/dealers');
  expect(await passMinutes(1)).toEqual([0]);
  await account.post(goodTruck({ images: ['https://photos.invalid/1.jpg'] }));
  expect(await callCron()).toEqual(['photos']);
  await sql.query({ text: `update jobs set due_at = now() + interval '30 minutes 30 seconds'` });
  passTime(10);
  shareFlags();
  expect(sum(await passMinutes(60))).toBe(2);
});

test.each([1, 500])(
  'a batch of %i costs 4 messages cold, 2 warm, 6 under an Idempotency-Key; a change of status 1',
  async (size) => {
    const { key } = await service.newAccount();
    const trucks = Array.from({ length: size }, () => goodTruck());
    const cold = await startFresh();
    const count = (method: string, records: object[], headers: Record<string, string> = {}) =>
      countMessages(async () => {
        const answer = await cold.call(method, '/v1/inventory', { token: key, json: { records }, headers });
        expect(answer.body.summary.rejected).toBe(0);
      });
    const post = (price: number, headers?: Record<string, string>) =>
      count(
        'POST',
        trucks.map((truck) => ({ ...truck, price })),
        headers,
      );
    const change = (status: string) =>
      count(
        'PATCH',
        trucks.map(({ vin }) => ({ vin, status })),
      );
    expect(await post(50_000)).toBeLessThanOrEqual(4);
    for (const price of [51_000, 52_000]) expect(await post(price)).toBe(2);
    expect(await post(52_000), 'all unchanged').toBeLessThanOrEqual(2);
    expect(await post(53_000, { 'idempotency-key': 'first' })).toBe(6);
    await change('delisted');
    expect(await change('sold')).toBe(1);
  },
);

test.each(['starter', 'pro'] as const)(
  'GET by VIN of a %s account costs 1 message warm, and ten of them cost ten',
  async (tier) => {
    const account = await service.newAccount({ tier });
    const { vin } = (await account.post(goodTruck())).body;
    expect(await countMessages(() => account.read(vin))).toBe(1);
    const reads = async () => {
      for (let n = 0; n < 10; n += 1) await account.read(vin);
    };
    expect(await countMessages(reads)).toBe(10);
  },
);
