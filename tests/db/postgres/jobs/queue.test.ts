import { beforeEach, describe, expect, test } from 'vitest';
import { readBacklog } from '../../../../lib/db/jobs/backlog.ts';
import {
  claimJob,
  type Job,
  type JobKind,
  listDue,
  listWaiting,
  releaseJob,
  renewLease,
} from '../../../../lib/db/jobs/queue.ts';
import type { Sql } from '../../../../lib/db/sql.ts';
import * as fc from '../../../support/oracles/fast-check.ts';
import { suiteDatabase } from '../../../support/postgres/suite-database.ts';

/** What the one queue promises, of every kind of job. */

const { sql } = await suiteDatabase();
const run = <Row>(text: string, params: readonly unknown[] = []) =>
  sql.query<Row>({ text, timeout: 'job' }, params);

beforeEach(async () => {
  await run('delete from jobs');
  await run('delete from accounts');
  await run(`insert into accounts (id, name, tier) select id, 'Lot', 'pro' from unnest($1::text[]) as id`, [
    ['crowd', 'lone', 'other'],
  ]);
});

/** Jobs `1`, `2`, … of an account, the first the longest due. */
const enqueue = (accountId = 'lone', kind: JobKind = 'email', count = 1, delay = '0 s') =>
  run(
    `insert into jobs (account_id, kind, key, due_at)
    select $1, $2, n::text, now() + $4::interval - interval '1 day' / n from generate_series(1, $3::int) as n`,
    [accountId, kind, count, delay],
  );
const claim = (accountId = 'lone', kind: JobKind = 'email') => claimJob(sql, kind, { accountId }, 2);
async function claimed(accountId?: string, kind?: JobKind) {
  const job = await claim(accountId, kind);
  if (job === null) throw new Error('nothing to claim');
  return job;
}
/** The only job of all, claimed. */
async function begin() {
  await run('delete from jobs');
  await enqueue();
  return claimed();
}
/** The time of all leases is over. */
const expire = () => run(`update jobs set leased_until = now() where leased_until is not null`);
const rows = () =>
  run(
    `select key, tries, due_at <= now() as "isDue", leased_until is null as "isFree" from jobs order by key`,
  );

test('a job is one worker’s until its lease is over, and then the next one’s under another token', async () => {
  await enqueue();
  const workers = await Promise.all([1, 2, 3, 4].map(() => claim()));
  const [first, ...others] = workers.filter((job) => job !== null);
  expect([first, others]).toMatchObject([{ key: '1', tries: 1 }, []]);
  await expire();
  const second = await claimed();
  expect(second).toMatchObject({ key: '1', tries: 2 });
  expect(second.token).toBeGreaterThan(first?.token ?? 0);
});

test('a worker that slept through its lease changes nothing any more, and keeps nobody’s', async () => {
  const sleeper = await begin();
  await expire();
  const worker = await claimed();
  expect(await renewLease(sql, sleeper)).toBe(false);
  for (const delaySeconds of [null, 0, 60])
    expect(await releaseJob(sql, sleeper, delaySeconds, true)).toBe(false);
  expect(await claim(), 'the new lease holds').toBeNull();
  expect(await renewLease(sql, worker)).toBe(true);
  // Planted fault: without the token of its own the sleeper would end the other’s job.
  expect(await releaseJob(sql, { ...sleeper, token: worker.token }, null, true)).toBe(true);
  expect(await rows()).toEqual([]);
});

test('given back it is free and due after its wait, and counts as a try or not', async () => {
  const job = await begin();
  expect(await releaseJob(sql, job, 3_600, true)).toBe(true);
  expect(await renewLease(sql, job), 'a heartbeat that comes too late').toBe(false);
  expect(await rows()).toEqual([{ key: '1', tries: 1, isDue: false, isFree: true }]);
  expect(await claim()).toBeNull();
  await run('update jobs set due_at = now()');
  await releaseJob(sql, await claimed(), 0, false);
  expect(await rows()).toEqual([{ key: '1', tries: 1, isDue: true, isFree: true }]);
});

test('one that is enqueued again while it is worked on or released stays due, and is free', async () => {
  const enqueueAgain = (on: Sql) => on.query({ text: 'update jobs set due_at = now(), tries = 0' });
  for (const delaySeconds of [null, 3_600]) {
    const job = await begin();
    await enqueueAgain(sql);
    expect(await claim(), 'two workers never have it').toBeNull();
    expect(await releaseJob(sql, job, delaySeconds, true)).toBe(true);
    expect(await rows()).toMatchObject([{ key: '1', isDue: true, isFree: true }]);
  }
  const job = await begin();
  const { released } = await sql.transaction(async (bound) => {
    await enqueueAgain(bound);
    const release = releaseJob(sql, job, null, true);
    const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(() => run(waits)).not.toEqual([]);
    return { released: release };
  }, 'job');
  expect(await released).toBe(true);
  expect(await rows()).toMatchObject([{ key: '1', isDue: true, isFree: true }]);
});

describe('whose turn it is', () => {
  test('of an account two at a time are worked on, the longest due first, whatever it has waiting', async () => {
    await enqueue('crowd', 'webhook', 500);
    const take = () => claim('crowd', 'webhook');
    const keys = (await Promise.all(Array.from({ length: 10 }, take))).flatMap((job) => job?.key ?? []);
    expect(keys.length).toBeLessThanOrEqual(2);
    while (keys.length < 2) keys.push((await claimed('crowd', 'webhook')).key);
    expect(keys.sort()).toEqual(['1', '2']);
    expect(await take()).toBeNull();
    expect(await claim('crowd', 'email'), 'another kind has a line of its own').toBeNull();
    await run(`delete from jobs where key = '2'`);
    expect((await claimed('crowd', 'webhook')).key).toBe('3');
  });

  test('one that is named is claimed before all others, and by one worker', async () => {
    await enqueue('crowd', 'feed', 5);
    const claimNamed = () => claimJob(sql, 'feed', { accountId: 'crowd', key: '5' }, 2);
    expect([await claim('crowd', 'feed'), await claim('crowd', 'feed')]).not.toContain(null);
    expect([await claimNamed(), await claimNamed()]).toMatchObject([{ key: '5' }, null]);
  });

  test('every account that waits has its turn in a round, the longest waiting first; those of others’ kinds do not', async () => {
    await enqueue('crowd', 'photos', 1_000);
    await enqueue('lone', 'photos');
    await enqueue('other', 'feed');
    const accounts = (['photos', 'feed', 'alert'] as const).map((kind) => listWaiting(sql, kind));
    expect(await Promise.all(accounts)).toEqual([['crowd', 'lone'], ['other'], []]);
  });

  test('jobs of suspended accounts rest', async () => {
    await enqueue();
    const suspend = (suspended: boolean) => run('update accounts set suspended = $1', [suspended]);
    await suspend(true);
    expect(await Promise.all([listWaiting(sql, 'email'), listDue(sql)])).toEqual([[], []]);
    expect(await readBacklog(sql)).toMatchObject({ oldestLeadMs: null });
    await suspend(false);
    expect(await listWaiting(sql, 'email')).toEqual(['lone']);
  });
});

test('what is due, and when the next job is, is one question', async () => {
  await enqueue('lone', 'email', 1, '-1 hour');
  await enqueue('lone', 'feed', 1, '1 day 30 s');
  await enqueue('other', 'alert');
  await claimed('other', 'alert');
  const dueTimes = (await listDue(sql)).map(({ kind, seconds }) => [kind, Math.round(seconds / 30)]);
  expect(Object.fromEntries(dueTimes)).toEqual({ email: -3_000, feed: 1, alert: 2 });
});

test('whatever workers do and whenever leases end, at most one of them ends the job, and it is the newest', async () => {
  const step = fc.record({
    act: fc.constantFrom('claim', 'expire', 'done', 'again'),
    by: fc.nat({ max: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      await run('delete from jobs');
      await enqueue();
      const leases = new Map<number, Job>();
      let newest = 0;
      for (const { act, by } of steps) {
        const job = leases.get(by);
        if (act === 'expire') await expire();
        else if (act === 'claim') {
          const won = await claim();
          if (won === null) continue;
          expect(won.token).toBeGreaterThan(newest);
          newest = won.token;
          leases.set(by, won);
        } else if (job) {
          const mayEnd = job.token === newest;
          expect(await releaseJob(sql, job, act === 'done' ? null : 0, true)).toBe(mayEnd);
          if (act === 'done' && mayEnd) return;
        }
      }
    }),
    { numRuns: 25 },
  );
});
