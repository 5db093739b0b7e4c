import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPg } from '../../../../lib/db/connection/pool.ts';
import { migrate } from '../../../../lib/db/migrations/migrate.ts';
import type { Sql } from '../../../../lib/db/sql.ts';
import { memoryFlags, noFlags } from '../../../../lib/outside/flags/memory.ts';
import type { Flags } from '../../../../lib/outside/system.ts';
import { usePostgres } from '../../../support/postgres/postgres.ts';
import { startWireCounter, type WireCounter } from '../../../support/postgres/wire-counter.ts';
import { CRON_SECRET, goodTruck, startService, type TestService } from '../../../support/service/service.ts';
import { provideStore } from '../../../support/service/store.ts';

const HOUR = 60;
let wire: WireCounter;
let sql: Sql;
let service: TestService;
let now = Date.now();
let flags: Flags = noFlags;
const started: Promise<unknown>[] = [];

beforeAll(async () => {
  const url = await (await usePostgres()).createDatabase();
  wire = await startWireCounter(url);
  sql = openPg({ url: wire.url });
  await migrate(sql);
  provideStore({ sql, url });
  service = await startService(() => ({
    clock: { now: () => now },
    feedSource: { fetch: async () => 'not_modified' },
    background: { run: (work) => void started.push(work) },
    flags: { isSet: (name) => flags.isSet(name), set: (name, seconds) => flags.set(name, seconds) },
  }));
});

afterAll(async () => {
  await service.ports.db.close();
  await wire.close();
});

/** The cron of so many minutes; returns the messages that each of them cost. */
async function passMinutes(minutes: number): Promise<number[]> {
  const costs: number[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    // What goes on after an answer is not the cron's.
    await Promise.all(started);
    wire.reset();
    const { status, text } = await service.call('GET', '/api/cron/due', { token: CRON_SECRET });
    expect([status, text]).toEqual([200, '{"job":"due","outcome":"done","result":{"due":[]}}']);
    costs.push(wire.count());
    now += 60_000;
  }
  return costs;
}

const sum = (costs: readonly number[]) => costs.reduce((total, cost) => total + cost, 0);

test('an idle deployment asks its database once a minute, and once an hour where instances share flags', async () => {
  flags = noFlags;
  expect(await passMinutes(5)).toEqual([1, 1, 1, 1, 1]);
  flags = memoryFlags({ now: () => now });
  expect(sum(await passMinutes(3 * HOUR))).toBe(3);
});

test('flags that can be neither read nor set count as none', async () => {
  const dead = () => Promise.reject(new Error('ECONNREFUSED'));
  flags = { isSet: dead, set: dead };
  expect(await passMinutes(3)).toEqual([1, 1, 1]);
});

test('once somebody has written, it is asked every minute for as long as a function may run', async () => {
  flags = memoryFlags({ now: () => now });
  await passMinutes(2);
  const account = await service.newAccount();
  expect(await passMinutes(8)).toEqual([1, 1, 1, 1, 1, 1, 0, 0]);
  await account.call('GET', '/v1/dealers');
  expect(sum(await passMinutes(1))).toBe(0);
});

test('it is asked again when the first job is due, and what is due is run', async () => {
  flags = memoryFlags({ now: () => now });
  const account = await service.newAccount();
  await account.post(goodTruck({ images: ['https://photos.invalid/1.jpg'] }));
  const run = () => service.call('GET', '/api/cron/due', { token: CRON_SECRET });
  expect((await run()).body.result.due).toEqual(['photos']);
  await sql.query({ text: `update jobs set due_at = now() + interval '30 minutes 30 seconds'` });
  now += 10 * 60_000;
  expect(sum(await passMinutes(HOUR))).toBe(2);
});
