import { afterAll, expect, test, vi } from 'vitest';
import { deleteDealer } from '../../../lib/accounts/dealers/queries.ts';
import { createPorts } from '../../../lib/connect.ts';
import { sweepJobs } from '../../../lib/db/jobs/sweep.ts';
import { readEnv } from '../../../lib/env.ts';
import type { RawFile } from '../../../lib/feeds/feed.ts';
import { feedWork } from '../../../lib/feeds/feed-runs.ts';
import { feedFiles } from '../../../lib/feeds/files/feed-files.ts';
import { beginRun } from '../../../lib/feeds/queries/begin-run.ts';
import { deleteFeed, lockDealer, readFeed, updateFeed } from '../../../lib/feeds/queries/feeds.ts';
import { listRuns } from '../../../lib/feeds/queries/runs.ts';
import { dropRaw } from '../../../lib/feeds/raw-files.ts';
import type { ClaimedRun } from '../../../lib/feeds/run/claimed-run.ts';
import { runFeed } from '../../../lib/feeds/run/run-feed.ts';
import { ingestFor } from '../../../lib/inventory/ingest-listings.ts';
import { workOff } from '../../../lib/jobs/work-off.ts';
import { Unavailable } from '../../../lib/outside/faults.ts';
import type { Ports } from '../../../lib/outside/ports.ts';
import { suiteDatabase } from '../../support/postgres/suite-database.ts';
import { suiteFolder } from '../../support/processes/suite-folder.ts';
import { cleanTruck, cleanTrucks } from '../../support/samples/trucks.ts';
import { type BareLot, newBareLot, startFeedServer, toCsv } from '../../support/servers/feed-server.ts';

/** Several workers on one queue, workers that sleep through their lease, and runs that go over several invocations. */

const folder = await suiteFolder();
const { sql, url } = await suiteDatabase();
const opened: Ports[] = [];
const server = await startFeedServer();
const worker = () => {
  const env = {
    POSTGRES_URL: url,
    OUTBOUND_ALLOW: server.host,
    DATA_DIR: folder,
    LOG: 'silent',
    VERCEL: '1',
  };
  const ports = { ...createPorts(readEnv(env)), feedFiles: feedFiles(500) };
  opened.push(ports);
  return ports;
};
const workers: [Ports, Ports] = [worker(), worker()];
afterAll(async () => {
  for (const { db } of opened) await db.close();
  await server.close();
});

const newLot = (account?: string) => newBareLot(sql, server, account);
const soon = () => Date.now() + 240_000;
const invocation = (ports: Ports) => workOff(ports, feedWork);

/** What a worker gets that claims the feed's job: also the one after a worker whose lease is over. */
async function claimed(ports: Ports, { account, feed }: BareLot, id: string): Promise<ClaimedRun> {
  const run = await beginRun(ports.db, account, feed, `run_of_${id}`);
  if (run?.runId !== id) throw new Error('another run is under way');
  return run;
}

const work = async (ports: Ports, lot: BareLot, id: string, until = soon()) =>
  runFeed(ports, await claimed(ports, lot, id), until);

/** Something that waits until it is let go, the first time it is asked. */
function gate() {
  const entered = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  let first = true;
  return {
    entered: entered.promise,
    open: () => open.resolve(),
    async pass() {
      if (!first) return;
      first = false;
      entered.resolve();
      await open.promise;
    },
  };
}

/** A part of the pipeline that does something else first. */
const decodingAfter = (first: () => Promise<void>, ports: Ports): Ports => ({
  ...ports,
  async decodeVins(vins) {
    await first();
    return ports.decodeVins(vins);
  },
});

test('many invocations at the same time run each feed once', async () => {
  const lots = await Promise.all([newLot(), newLot(), newLot()]);
  for (const [index, { account, serve }] of lots.entries()) {
    serve(toCsv(cleanTrucks(30 + index)));
    await sql.query({ text: 'update feeds set enabled = true, next_run_at = now() where account_id = $1' }, [
      account,
    ]);
  }
  await sweepJobs(workers[0].db);
  const [one, two] = workers;
  const results = await Promise.all([one, two, one, two].map(invocation));
  expect(results.reduce((sum, { runs = 0 }) => sum + runs, 0)).toBe(3);
  for (const [index, { account, feed }] of lots.entries()) {
    const runs = await listRuns(one.db, account, feed, { limit: 5, after: null });
    expect(runs).toMatchObject([{ status: 'succeeded', created: 30 + index, rows: 30 + index }]);
  }
});

test('slow servers of one account keep no other account waiting: two of its runs at a time', async () => {
  const [ports] = workers;
  const first = await newLot();
  const slow = [first, ...(await Promise.all([1, 2, 3, 4].map(() => newLot(first.account))))];
  for (const { serve, start } of slow) {
    serve(toCsv([cleanTruck()]));
    await start();
  }
  const other = await newLot();
  other.serve(toCsv(cleanTrucks(3)));
  const run = await other.start();
  const released = Promise.withResolvers<void>();
  const fetch: Ports['feedSource']['fetch'] = async (location, ...rest) => {
    if (slow.some(({ url }) => url === location.url)) await released.promise;
    return ports.feedSource.fetch(location, ...rest);
  };
  const invoked = invocation({ ...ports, feedSource: { fetch } });
  await vi.waitFor(async () => expect(await other.run(run)).toMatchObject({ status: 'succeeded' }), 30_000);
  expect(await runsByStatus(first.account)).toEqual({ queued: 3, running: 2 });
  released.resolve();
  await invoked;
  expect(await runsByStatus(first.account)).toEqual({ succeeded: 5 });
});

async function runsByStatus(account: string): Promise<Record<string, number>> {
  const text = 'select status, count(*)::int as runs from feed_runs where account_id = $1 group by status';
  const rows = await sql.query<{ status: string; runs: number }>({ text }, [account]);
  return Object.fromEntries(rows.map(({ status, runs }) => [status, runs]));
}

test('a holder that sleeps through its lease in the middle of a part writes nothing any more', async () => {
  const lot = await newLot();
  const trucks = cleanTrucks(700);
  lot.serve(toCsv(trucks));
  const id = await lot.start();
  const { entered, open, pass } = gate();
  const [sleeper, other] = workers;
  const sleeping = runFeed(decodingAfter(pass, sleeper), await claimed(sleeper, lot, id), soon());
  await entered;
  expect(await work(other, lot, id)).toBe('succeeded');
  const before = await lot.run(id);
  expect(before).toMatchObject({ status: 'succeeded', rows: 700, created: 700, merged: 0, unchanged: 0 });
  open();
  expect(await sleeping).toBe('lost');
  expect(await lot.run(id)).toEqual(before);
  const [count] = await sql.query<{ n: number; most: number }>(
    { text: 'select count(*)::int as n, max(version) as most from listings where account_id = $1' },
    [lot.account],
  );
  expect(count).toEqual({ n: 700, most: 1 });
});

test('a truck that another writer locks for long only has its part written once more', async () => {
  const [ports] = workers;
  const lot = await newLot();
  const trucks = cleanTrucks(1_500);
  const wide = { ...ports, feedFiles: feedFiles() };
  for (const price of [60_000, 61_000]) {
    lot.serve(toCsv(trucks.map((truck) => ({ ...truck, price }))));
    const id = await lot.start();
    const locked = price === 60_000 ? null : lockTruck(lot.account, trucks[1_200]?.vin);
    expect(await work(wide, lot, id)).toBe('succeeded');
    await locked;
    expect((await lot.run(id)).rows).toBe(1_500);
  }
});

/** Keeps the row locked for longer than a batch waits for it. */
const lockTruck = (account: string, vin: unknown) =>
  sql.transaction(async (bound) => {
    await bound.query({ text: 'select 1 from listings where account_id = $1 and vin = $2 for update' }, [
      account,
      vin,
    ]);
    await bound.query({ text: 'select pg_sleep(4)' });
  }, 'job');

test('a run goes over as many invocations as it needs, whatever the dealer does to the file meanwhile', async () => {
  const lot = await newLot();
  const trucks = cleanTrucks(1_300);
  lot.serve(toCsv(trucks));
  const id = await lot.start();
  const [one, two] = workers;
  const outcomes: string[] = [];
  for (let turn = 0; turn < 9 && outcomes.at(-1) !== 'succeeded'; turn += 1) {
    const worker = turn % 2 === 0 ? one : two;
    // Time is up once the file is there: each invocation does one piece of work.
    const late = turn > 0 ? null : timeUpAfterFetch(worker);
    const until = late === null ? 0 : soon();
    outcomes.push(await runFeed(late ?? worker, await claimed(worker, lot, id), until));
    lot.serve(toCsv(cleanTrucks(5)));
  }
  expect(outcomes).toEqual(['yielded', 'yielded', 'yielded', 'yielded', 'succeeded']);
  expect(await lot.run(id)).toMatchObject({ rows: 1_300, created: 1_300, unchanged: 0, delisted: 0 });
});

function timeUpAfterFetch({ feedSource, ...ports }: Ports): Ports {
  let fetched = false;
  return {
    ...ports,
    clock: { now: () => Date.now() + (fetched ? 3_600_000 : 0) },
    feedSource: {
      async fetch(...args) {
        const file = await feedSource.fetch(...args);
        fetched = true;
        return file;
      },
    },
  };
}

test('trucks that the API changes during a part are decided again on what it left', async () => {
  const lot = await newLot();
  const [raced, other] = [cleanTruck(), cleanTruck()];
  const [ports] = workers;
  lot.serve(toCsv([raced, other]));
  await work(ports, lot, await lot.start());
  lot.serve(
    toCsv([
      { ...raced, price: 44_000 },
      { ...other, price: 45_000 },
    ]),
  );
  const id = await lot.start();
  let posted = false;
  const postMeanwhile = async () => {
    if (posted) return;
    posted = true;
    const records = [{ ...raced, price: 66_000, source_provider_id: 'dms' }];
    await ingestFor(workers[1], lot.account, { records, dryRun: false, observedAt: null });
  };
  await runFeed(decodingAfter(postMeanwhile, ports), await claimed(ports, lot, id), soon());
  expect(await lot.run(id)).toMatchObject({ rows: 2, merged: 1, unchanged: 1, rejected: 0 });
  const prices = await sql.query<{ price: number }>(
    { text: 'select price from listings where account_id = $1 order by price' },
    [lot.account],
  );
  expect(prices.map(({ price }) => price)).toEqual([45_000, 66_000]);
});

test('what a later row says of a truck goes over what an earlier one did, in whatever parts they are', async () => {
  const lot = await newLot();
  const [ports] = workers;
  const trucks = cleanTrucks(500, { price: 50_000 });
  const priced = (price: number) => trucks.map((truck) => ({ ...truck, price }));
  const prices = async () =>
    sql.query({ text: 'select price, count(*)::int as n from listings where account_id = $1 group by 1' }, [
      lot.account,
    ]);
  lot.serve(toCsv([...trucks, ...priced(40_000), ...trucks]));
  const id = await lot.start();
  await work(ports, lot, id);
  expect(await lot.run(id)).toMatchObject({ rows: 1_500, created: 500, merged: 1_000, unchanged: 0 });
  expect(await prices()).toEqual([{ price: 50_000, n: 500 }]);
  lot.serve(toCsv([...priced(40_000), ...trucks, ...priced(30_000)]));
  const again = await lot.start();
  await work(ports, lot, again);
  expect(await lot.run(again)).toMatchObject({ rows: 1_500, merged: 1_500, unchanged: 0 });
  expect(await prices()).toEqual([{ price: 30_000, n: 500 }]);
});

test('a run that takes one holder after the other down is given up', async () => {
  const lot = await newLot();
  lot.serve(toCsv(cleanTrucks(1)));
  const id = await lot.start();
  const [ports] = workers;
  for (let vanished = 0; vanished < 5; vanished += 1) {
    await claimed(ports, lot, id);
  }
  expect(await work(ports, lot, id)).toBe('failed');
  expect(await lot.run(id)).toMatchObject({ status: 'failed', error: { reason: 'given_up' } });
});

test('a feed that is deleted while it runs stays deleted; its run goes with the last of its objects', async () => {
  const lot = await newLot();
  lot.serve(toCsv(cleanTrucks(600)));
  const id = await lot.start();
  const [ports] = workers;
  const { entered, open, pass } = gate();
  const running = runFeed(decodingAfter(pass, ports), await claimed(ports, lot, id), soon());
  await entered;
  expect(await deleteFeed(workers[1].db, lot.account, lot.feed)).toBe(true);
  open();
  expect(await running).toBe('lost');
  await expect(lot.run(id)).rejects.toThrow('no such run');
  const left = await sql.query<RawFile>(
    { text: 'select account_id as "accountId", id as "runId", sha256 from feed_runs where account_id = $1' },
    [lot.account],
  );
  expect(left).toMatchObject([{ runId: id }]);
  const away = () => Promise.reject(new Unavailable('the object store is away'));
  expect(await dropRaw({ ...ports, objects: { ...ports.objects, get: away } }, left)).toBe(0);
  expect(await dropRaw(ports, left)).toBe(1);
  for (const table of ['feeds', 'feed_runs', 'feed_members', 'feed_parts', 'feed_rejects', 'listings'])
    expect(
      await sql.query({ text: `select 1 from ${table} where account_id = $1` }, [lot.account]),
      table,
    ).toEqual([]);
});

test('what a part of ours fails at is tried again later, and counts against nobody', async () => {
  const lot = await newLot();
  lot.serve(toCsv(cleanTrucks(3)));
  const id = await lot.start();
  const [ports] = workers;
  const failing: Ports = {
    ...ports,
    geocoder: {
      locate: async () => {
        throw new Unavailable('the geocoder is away');
      },
    },
    db: {
      ...ports.db,
      transaction: async () => {
        throw new Unavailable('the database is away');
      },
    },
  };
  await expect(runFeed(failing, await claimed(ports, lot, id), soon())).rejects.toThrow('is away');
  const run = await lot.run(id);
  expect(run).toMatchObject({ status: 'running', rows: 0 });
  expect(run).not.toHaveProperty('error');
  expect(await work(ports, lot, id)).toBe('succeeded');
});

test('a feed names no dealer that is deleted meanwhile, and a dealer that a feed names stays', async () => {
  const lot = await newLot();
  const { db } = workers[0];
  await sql.query({ text: `insert into dealers (account_id, slug, name) values ($1, 'north', 'North')` }, [
    lot.account,
  ]);
  let naming: Promise<unknown> = Promise.resolve();
  await sql.transaction(async (bound) => {
    await bound.query({ text: `delete from dealers where account_id = $1` }, [lot.account]);
    naming = lockDealer(db, lot.account, 'north');
    // Whatever it asks on its own has been answered by then.
    await readFeed(db, lot.account, lot.feed);
  });
  expect(await naming).toBe(false);

  await sql.query({ text: `insert into dealers (account_id, slug, name) values ($1, 'north', 'North')` }, [
    lot.account,
  ]);
  await updateFeed(db, lot.account, lot.feed, { dealer: 'north' });
  expect(await deleteDealer(db, lot.account, 'north')).toBe(false);
});
