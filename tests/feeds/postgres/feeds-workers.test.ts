import { afterAll, expect, test, vi } from 'vitest';
import { deleteDealer } from '../../../lib/accounts/dealers/queries.ts';
import { createPorts } from '../../../lib/connect.ts';
import { readEnv } from '../../../lib/env.ts';
import type { RawFile } from '../../../lib/feeds/feed.ts';
import { feedWork } from '../../../lib/feeds/feed-runs.ts';
import { feedFiles } from '../../../lib/feeds/files/feed-files.ts';
import { beginRun } from '../../../lib/feeds/queries/begin-run.ts';
import { deleteFeed, lockDealer, readFeed, updateFeed } from '../../../lib/feeds/queries/feeds.ts';
import { dropRaw } from '../../../lib/feeds/raw-files.ts';
import { runFeed } from '../../../lib/feeds/run/run-feed.ts';
import { ingestFor } from '../../../lib/inventory/ingest-listings.ts';
import { drain } from '../../../lib/jobs/drain.ts';
import { Unavailable } from '../../../lib/outside/faults.ts';
import { tempFiles } from '../../../lib/outside/system/temp-files.ts';
import type { Ports } from '../../../lib/ports.ts';
import { suiteDatabase } from '../../support/postgres/suite-database.ts';
import { suiteFolder } from '../../support/processes/suite-folder.ts';
import { cleanTruck, cleanTrucks } from '../../support/samples/trucks.ts';
import { type BareLot, newBareLot, startFeedServer, toCsv } from '../../support/servers/feed-server.ts';

/** Several workers on one queue, workers that sleep through their lease, and runs that go over several invocations. */

const folder = await suiteFolder();
const { sql, url } = await suiteDatabase();
const allPorts: Ports[] = [];
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
  allPorts.push(ports);
  return ports;
};
const [one, two] = [worker(), worker()];
afterAll(async () => {
  for (const { db } of allPorts) await db.close();
  await server.close();
});

const query = <Row>(text: string, ...params: unknown[]) => sql.query<Row>({ text }, params);
const newLot = (account?: string) => newBareLot(sql, server, account);
const soon = () => Date.now() + 240_000;
const invocation = (ports: Ports) => drain(ports, feedWork);

/** Works on the run as a worker does that claims the feed's job: also the one after a worker whose lease is over. */
async function work(ports: Ports, { account, feed }: BareLot, id: string, until = soon()) {
  const run = await beginRun(sql, account, feed, `run_of_${id}`);
  if (run?.runId !== id) throw new Error('another run is under way');
  return runFeed(ports, run, until);
}

/** A queued run of these rows. */
async function serve(bareFeed: BareLot, rows: Parameters<typeof toCsv>[0]) {
  bareFeed.serve(toCsv(rows));
  return bareFeed.start();
}

/** The same, worked on to its end. */
async function pull(bareFeed: BareLot, rows: Parameters<typeof toCsv>[0], ports = one) {
  const id = await serve(bareFeed, rows);
  expect(await work(ports, bareFeed, id)).toBe('succeeded');
  return bareFeed.run(id);
}

/** A part of the pipeline that does something else first, once. */
function decodingAfter(first: () => Promise<unknown>, ports: Ports): Ports {
  let begun: Promise<unknown> | undefined;
  return {
    ...ports,
    async decodeVins(vins) {
      const isFirst = begun === undefined;
      begun ??= first();
      if (isFirst) await begun;
      return ports.decodeVins(vins);
    },
  };
}

/** A worker that stops in the middle of a part until it is let go. */
function sleeper() {
  const entered = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  const sleep = () => {
    entered.resolve();
    return open.promise;
  };
  return { ports: decodingAfter(sleep, one), entered: entered.promise, wake: () => open.resolve() };
}

test('slow servers of one account keep no other account waiting: two of its runs at a time', async () => {
  const first = await newLot();
  const slow = [first, ...(await Promise.all([1, 2, 3, 4].map(() => newLot(first.account))))];
  for (const bareFeed of slow) await serve(bareFeed, [cleanTruck()]);
  const other = await newLot();
  const run = await serve(other, cleanTrucks(3));
  const countRuns = () =>
    query(
      `select count(*) filter (where status = 'queued')::int as queued,
        count(*) filter (where status = 'running')::int as running,
        count(*) filter (where status = 'succeeded')::int as succeeded from feed_runs where account_id = $1`,
      first.account,
    );
  const released = Promise.withResolvers<void>();
  const fetch: Ports['feedSource']['fetch'] = async (location, ...rest) => {
    if (location.url !== other.url) await released.promise;
    return one.feedSource.fetch(location, ...rest);
  };
  const invoked = invocation({ ...one, feedSource: { fetch } });
  await vi.waitFor(async () => expect(await other.run(run)).toMatchObject({ status: 'succeeded' }), 30_000);
  expect(await countRuns()).toEqual([{ queued: 3, running: 2, succeeded: 0 }]);
  released.resolve();
  await invoked;
  expect(await countRuns()).toEqual([{ queued: 0, running: 0, succeeded: 5 }]);
});

test('a worker that sleeps through its lease in the middle of a part writes nothing any more', async () => {
  const bareFeed = await newLot();
  const id = await serve(bareFeed, cleanTrucks(700));
  const { ports, entered, wake } = sleeper();
  const sleeping = work(ports, bareFeed, id);
  await entered;
  expect(await work(two, bareFeed, id)).toBe('succeeded');
  const before = await bareFeed.run(id);
  expect(before).toMatchObject({ status: 'succeeded', rows: 700, created: 700, merged: 0, unchanged: 0 });
  wake();
  expect(await sleeping).toBe('lost');
  expect(await bareFeed.run(id)).toEqual(before);
  expect(
    await query(
      'select count(*)::int as n, max(version) as most from listings where account_id = $1',
      bareFeed.account,
    ),
  ).toEqual([{ n: 700, most: 1 }]);
});

test('a truck that another writer locks for long only has its part written once more', async () => {
  const bareFeed = await newLot();
  const trucks = cleanTrucks(1_500);
  const wide = { ...one, feedFiles: feedFiles() };
  await pull(bareFeed, trucks, wide);
  // For longer than a batch waits for it.
  const locked = sql.transaction(async (bound) => {
    const text = 'select 1 from listings where account_id = $1 and vin = $2 for update';
    await bound.query({ text }, [bareFeed.account, trucks[1_200]?.vin]);
    await bound.query({ text: 'select pg_sleep(4)' });
  }, 'job');
  const repriced = await pull(
    bareFeed,
    trucks.map((truck) => ({ ...truck, price: 61_000 })),
    wide,
  );
  expect(repriced.rows).toBe(1_500);
  await locked;
});

test('a run goes over as many invocations as it needs, whatever the dealer does to the file meanwhile; who has the file on disk made sure of room', async () => {
  const bareFeed = await newLot();
  const id = await serve(bareFeed, cleanTrucks(1_300));
  const files = tempFiles();
  const reserve = vi.spyOn(files, 'reserve');
  const workers = [one, two].map((ports) => ({ ...ports, tempFiles: files })) as [Ports, Ports];
  const outcomes = [await work(timeUpAfterFetch(workers[0]), bareFeed, id)];
  expect(reserve).toHaveBeenCalledTimes(1);
  for (let attempt = 0; attempt < 8 && outcomes.at(-1) !== 'succeeded'; attempt += 1) {
    bareFeed.serve(toCsv(cleanTrucks(5)));
    // Time is up: each invocation does one piece of work.
    outcomes.push(await work(workers[attempt % 2 === 0 ? 1 : 0], bareFeed, id, 0));
  }
  expect(outcomes).toEqual(['yielded', 'yielded', 'yielded', 'yielded', 'succeeded']);
  expect(await bareFeed.run(id)).toMatchObject({ rows: 1_300, created: 1_300, unchanged: 0, delisted: 0 });
  expect(reserve).toHaveBeenCalledTimes(2);
});

function timeUpAfterFetch({ feedSource, ...ports }: Ports): Ports {
  let passedMs = 0;
  return {
    ...ports,
    clock: { now: () => Date.now() + passedMs },
    feedSource: {
      async fetch(...args) {
        const file = await feedSource.fetch(...args);
        passedMs = 3_600_000;
        return file;
      },
    },
  };
}

test('trucks that the API changes during a part are decided again on what it left', async () => {
  const bareFeed = await newLot();
  const [raced, other] = [cleanTruck(), cleanTruck()];
  await pull(bareFeed, [raced, other]);
  const records = [{ ...raced, price: 66_000, source_provider_id: 'dms' }];
  const post = () => ingestFor(two, bareFeed.account, { records, dryRun: false, observedAt: null });
  const rows = [
    { ...raced, price: 44_000 },
    { ...other, price: 45_000 },
  ];
  const run = await pull(bareFeed, rows, decodingAfter(post, one));
  expect(run).toMatchObject({ rows: 2, merged: 1, unchanged: 1, rejected: 0 });
  expect(await prices(bareFeed)).toEqual([
    { price: 45_000, n: 1 },
    { price: 66_000, n: 1 },
  ]);
});

const prices = ({ account }: BareLot) =>
  query(
    'select price, count(*)::int as n from listings where account_id = $1 group by 1 order by 1',
    account,
  );

test('what a later row says of a truck goes over what an earlier one did, in whatever parts they are', async () => {
  const bareFeed = await newLot();
  const trucks = cleanTrucks(500, { price: 50_000 });
  const priced = (price: number) => trucks.map((truck) => ({ ...truck, price }));
  const first = await pull(bareFeed, [...priced(40_000), ...priced(45_000), ...trucks]);
  expect(first).toMatchObject({ rows: 1_500, created: 500, merged: 1_000, unchanged: 0 });
  expect(await prices(bareFeed)).toEqual([{ price: 50_000, n: 500 }]);
});

test('a run that takes one holder after the other down is given up', async () => {
  const bareFeed = await newLot();
  const id = await serve(bareFeed, cleanTrucks(1));
  for (let vanished = 0; vanished < 5; vanished += 1)
    await beginRun(one.db, bareFeed.account, bareFeed.feed, '');
  expect(await work(one, bareFeed, id)).toBe('failed');
  expect(await bareFeed.run(id)).toMatchObject({ status: 'failed', error: { reason: 'given_up' } });
});

test('a feed that is deleted while it runs stays deleted; its run goes with the last of its objects', async () => {
  const bareFeed = await newLot();
  const id = await serve(bareFeed, cleanTrucks(600));
  const { ports, entered, wake } = sleeper();
  const outcome = work(ports, bareFeed, id);
  await entered;
  expect(await deleteFeed(two.db, bareFeed.account, bareFeed.feed)).toBe(true);
  wake();
  expect(await outcome).toBe('lost');
  await expect(bareFeed.run(id)).rejects.toThrow('no such run');
  const left = await query<RawFile>(
    'select account_id as "accountId", id as "runId", sha256 from feed_runs where account_id = $1',
    bareFeed.account,
  );
  expect(left).toMatchObject([{ runId: id }]);
  expect(await dropRaw({ ...one, objects: { ...one.objects, get: away } }, left)).toBe(0);
  expect(await dropRaw(one, left)).toBe(1);
  const tables = ['feeds', 'feed_runs', 'feed_members', 'feed_parts', 'feed_rejects', 'listings'];
  const rows = tables.map((table) => `select '${table}' from ${table} where account_id = $1`);
  expect(await query(rows.join(' union all '), bareFeed.account)).toEqual([]);
});

test('what fails without a part of ours is tried again later, and counts against nobody; nothing is downloaded without the object store', async () => {
  const bareFeed = await newLot();
  const id = await serve(bareFeed, cleanTrucks(3));
  const { db, objects } = one;
  const fetch = vi.fn(one.feedSource.fetch);
  const outages: Partial<Ports>[] = [
    { objects: { ...objects, ping: away }, feedSource: { fetch } },
    { objects: { ...objects, putFile: away } },
    { db: { ...db, transaction: away } },
  ];
  for (const outage of outages)
    for (let tries = 0; tries < 6; tries += 1)
      expect(await work({ ...one, ...outage }, bareFeed, id)).toBe('interrupted');
  expect(fetch).not.toHaveBeenCalled();
  const run = await bareFeed.run(id);
  expect(run).toMatchObject({ status: 'running', rows: 0 });
  expect(run).not.toHaveProperty('error');
  expect(await work(one, bareFeed, id)).toBe('succeeded');
});

test('what one feed cannot do for now keeps no other waiting, and counts as no try', async () => {
  await query('delete from jobs');
  const [bareFeed, other] = [await newLot(), await newLot()];
  const [id, next] = [await serve(bareFeed, cleanTrucks(3)), await serve(other, cleanTrucks(3))];
  const fetch: Ports['feedSource']['fetch'] = (location, ...rest) =>
    location.url === bareFeed.url ? away() : one.feedSource.fetch(location, ...rest);
  const counts = await invocation({ ...one, feedSource: { fetch } });
  expect(counts).toEqual({ runs: 2, interrupted: 1, succeeded: 1 });
  expect(await bareFeed.run(id)).toMatchObject({ status: 'running' });
  expect(await other.run(next)).toMatchObject({ status: 'succeeded' });
  const jobs = `select tries, due_at between now() + interval '50 s' and now() + interval '60 s' as "isLater" from jobs`;
  expect(await query(jobs)).toEqual([{ tries: 0, isLater: true }]);
});

async function away(): Promise<never> {
  throw new Unavailable('a part of ours is away');
}

test('a feed names no dealer that is deleted meanwhile, and a dealer that a feed names stays', async () => {
  const { account, feed } = await newLot();
  const add = () =>
    query(`insert into dealers (account_id, slug, name) values ($1, 'north', 'North')`, account);
  await add();
  const { naming } = await sql.transaction(async (bound) => {
    await bound.query({ text: `delete from dealers where account_id = $1` }, [account]);
    const lock = lockDealer(one.db, account, 'north');
    // Whatever it asks on its own has been answered by then.
    await readFeed(one.db, account, feed);
    return { naming: lock };
  });
  expect(await naming).toBe(false);
  await add();
  await updateFeed(one.db, account, feed, { dealer: 'north' });
  expect(await deleteDealer(one.db, account, 'north')).toBe(false);
});
