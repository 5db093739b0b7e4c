import { afterAll, describe, expect, test } from 'vitest';
import { marketFaults } from '../../support/oracles/market-recount.ts';
import { searchFaults } from '../../support/oracles/search-recount.ts';
import { cleanTruck, cleanTrucks, type Truck } from '../../support/samples/trucks.ts';
import { type FeedLot, newLot, startFeedServer } from '../../support/servers/feed-server.ts';
import { queryRows } from '../../support/service/database.ts';
import { startService } from '../../support/service/service.ts';

/** What a run of a feed does to the account's listings. */

const server = await startFeedServer();
const service = await startService(server.ports);
afterAll(() => server.close());

const makeLot = (change: Record<string, unknown> = {}) => newLot(service, server, change);
/** So many trucks, each by a name of its own. */
const some = (count: number, change = {}) => cleanTrucks(count, change) as [Truck, Truck, Truck, Truck];
const statuses = ({ readStatus }: FeedLot, ...trucks: Truck[]) => Promise.all(trucks.map(readStatus));

async function release({ account, feed }: FeedLot, run: string) {
  const { status, body } = await account.call('POST', `/v1/feeds/${feed}/runs/${run}/release?wait=true`);
  return { status, ...body, reason: body.error?.details.reason };
}

/** Members that the file lacks. */
const missing = ({ account }: FeedLot) =>
  queryRows('select 1 from feed_members where account_id = $1 and part is null', [account.id]);

describe('a snapshot', () => {
  test('creates, merges and leaves as it is, delists what it lacks, and tells of all that', async () => {
    const lot = await makeLot();
    const [gone, repriced, ...rest] = some(6);
    const none = { created: 0, merged: 0, unchanged: 0, delisted: 0, rejected: 0 };
    const nothing = { ...none, rejects: [], rejects_by_code: {}, status: 'succeeded', rows: 6 };
    await lot.pull([gone, repriced, ...rest], { ...nothing, created: 6 });
    const fresh = cleanTruck();
    const second = await lot.pull([{ ...repriced, price: 61_000 }, ...rest, fresh], {
      ...nothing,
      created: 1,
      merged: 1,
      unchanged: 4,
      delisted: 1,
      phases: { fetch: expect.any(Number), ingest: expect.any(Number) },
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await statuses(lot, gone, fresh)).toEqual(['delisted', 'available']);
    expect((await lot.account.read(repriced.vin)).price).toBe(61_000);
    expect((await lot.account.call('GET', `/v1/feeds/${lot.feed}`)).body.last_run.id).toBe(second.id);
    expect(await searchFaults(lot.account.id)).toEqual([]);
    expect(await marketFaults(service.ports.db)).toEqual([]);
  });

  test('marks a sold truck and lists none that is sold or off the lot', async () => {
    const lot = await makeLot();
    const [listed, gone, never] = some(3);
    await lot.pull([{ ...listed, status: 'In Stock' }, gone], { created: 2 });
    const rows = [
      { ...listed, status: 'Vendido' },
      { ...gone, status: 'Inactive' },
      { ...never, status: 'SOLD - awaiting delivery' },
    ];
    await lot.pull(rows, { rows: 3, created: 0, merged: 2, unchanged: 1, rejected: 0, delisted: 0 });
    expect(await statuses(lot, listed, gone, never)).toEqual(['sold', 'delisted', 404]);
  });

  test('whose truck comes back lists it again', async () => {
    const lot = await makeLot();
    const [first, second] = some(2);
    for (const [trucks, status] of [
      [[first, second], 'available'],
      [[second], 'delisted'],
      [[second, first], 'available'],
    ] as const) {
      await lot.pull(trucks);
      expect(await lot.readStatus(first)).toBe(status);
    }
  });

  test('whose truck is gone calls it vanished, not sold, and a dealer with feeds alone feed-only', async () => {
    const { account, pull } = await makeLot();
    const make = `Zv${process.pid}`;
    const [gone, sold, stays] = some(3, { make });
    const ownTrends = async () =>
      (await account.call('GET', `/v1/market-data/trends?make=${make}&weeks=1`)).body.own;
    await pull([gone, sold, stays]);
    await pull([sold, stays]);
    const week = { supply: 2, sold: 0, vanished: 1, days_on_market: null };
    expect(await ownTrends()).toMatchObject({ feed_only: true, weeks: [week] });
    await account.patch({ vin: sold.vin, status: 'sold' });
    const weeks = [{ ...week, supply: 1, sold: 1, days_on_market: 0 }];
    expect(await ownTrends()).toMatchObject({ feed_only: false, weeks });
  });

  test('with the bytes of the last one ends as unchanged, and as read anew once the feed reads it otherwise', async () => {
    const { account, feed, pull, run } = await makeLot();
    const { sha256 } = await pull(some(2));
    expect(await run()).toMatchObject({ status: 'unchanged', rows: 0, delisted: 0, sha256 });
    await account.call('PATCH', `/v1/feeds/${feed}`, { defaults: { color: 'White' } });
    expect(await run()).toMatchObject({ status: 'succeeded', rows: 2, merged: 2 });
  });

  test('keeps a truck whose row is rejected, and tells the line, the field and the fix', async () => {
    const { account, pull, readStatus, feed } = await makeLot();
    const [good, spoiled] = some(2);
    await pull([good, spoiled]);
    const code = 'PRICE_INVALID';
    const second = await pull([good, { ...spoiled, price: 12, trim: '=1+1' }], {
      status: 'succeeded',
      rows: 2,
      unchanged: 1,
      rejected: 1,
      delisted: 0,
      rejects_by_code: { [code]: 1 },
      rejects: [{ line: 3, vin: spoiled.vin, code, field: 'price', fix: expect.any(String) }],
    });
    expect(await readStatus(spoiled)).toBe('available');
    const path = `/v1/feeds/${feed}/runs/${second.id}`;
    expect((await account.call('GET', path)).body).toEqual(second);
    const csv = await account.call('GET', `${path}/rejects.csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.text).toMatch(/^line,vin,code,field,received,fix\r\n3,\w{17},PRICE_INVALID,price,"?'?\$?12/);
  });

  test('delists only once it was missing as often as the feed allows, in a row', async () => {
    const lot = await makeLot({ misses_before_delist: 2 });
    const [stays, goes, wavers] = some(3);
    for (const [trucks, delisted] of [
      [[stays, goes, wavers], 0],
      [[stays], 0],
      [[stays, wavers], 1],
      [[stays], 0],
    ] as const)
      await lot.pull(
        trucks.map((truck) => ({ ...truck, n: Math.random() })),
        { delisted },
      );
    expect(await statuses(lot, goes, wavers)).toEqual(['delisted', 'available']);
    await lot.pull([stays], { delisted: 1 });
    expect(await lot.readStatus(wavers)).toBe('delisted');
  });

  test('touches only what the feed brought: not the stock of another feed, of another provider, of the API', async () => {
    const first = await makeLot({ source_provider_id: 'a' });
    const { account } = first;
    const second = await newLot(service, server, { source_provider_id: 'b' }, account);
    const [shared, other, posted] = some(3);
    await account.post({ ...posted, source_provider_id: 'a' });
    await first.pull([shared]);
    await second.pull([shared, other]);
    await first.pull([other], { created: 1, delisted: 1 });
    expect(await statuses(first, shared, posted)).toEqual(['available', 'available']);
    const { sources } = await account.read(shared.vin);
    expect(sources.map((source: Truck) => [source.source_provider_id, source.status]).sort()).toEqual([
      ['a', 'delisted'] as const,
      ['b', 'available'] as const,
    ]);
  });
});

describe('a stale snapshot', () => {
  const EARLIER = { 'last-modified': 'Sun, 04 Jan 2026 08:00:00 GMT' };
  const LONG_AGO = { 'last-modified': 'Mon, 05 Jan 2026 08:00:00 GMT' };

  test('overwrites no later change by the API, revives no sold truck and delists nothing that was posted since', async () => {
    const lot = await makeLot();
    const { account, pull } = lot;
    const [sold, repriced, reposted, stays] = some(4);
    await pull([sold, repriced, reposted, stays], {}, EARLIER);
    await account.patch({ vin: sold.vin, status: 'sold' });
    const post = { price: 55_000, source_provider_id: 'dms' };
    await account.post({ records: [repriced, reposted].map((truck) => ({ ...truck, ...post })) });
    const older = { status: 'succeeded', merged: 0, unchanged: 3, delisted: 0 };
    await pull([sold, { ...repriced, price: 44_000 }, stays], older, LONG_AGO);
    expect(await statuses(lot, sold, reposted)).toEqual(['sold', 'available']);
    expect((await account.read(repriced.vin)).price).toBe(55_000);
    // A snapshot of now knows better, but a sold truck stays sold.
    await pull([sold, { ...repriced, price: 43_000 }, stays], { merged: 1, delisted: 1 });
    expect(await statuses(lot, sold, reposted)).toEqual(['sold', 'delisted']);
  });

  test('older than the one applied last, with other content, changes nothing and says that it is stale', async () => {
    const lot = await makeLot();
    const [first, second] = some(2);
    await lot.pull([first], {}, LONG_AGO);
    const message = expect.stringContaining('2026-01-04');
    const error = { reason: 'stale', message, fix: expect.any(String) };
    await lot.pull([second], { status: 'failed', rows: 0, error }, EARLIER);
    expect(await statuses(lot, first, second)).toEqual(['available', 404]);
    await lot.pull([second, first], { status: 'succeeded', created: 1 }, LONG_AGO);
  });
});

describe('the guard', () => {
  test('holds an empty snapshot; a release delists, but for what was changed since', async () => {
    const lot = await makeLot();
    const [first, second, third] = some(3);
    await lot.pull([first, second, third]);
    const held = { status: 'held', rows: 0, delisted: 0, would_delist: 3 };
    const { id } = await lot.pull('vin,year,make\n', held);
    expect(await lot.readStatus(first)).toBe('available');
    await lot.account.post({ ...third, price: 51_000, source_provider_id: 'dms' });
    expect(await release(lot, id)).toMatchObject({ status: 'succeeded', delisted: 2, would_delist: 3 });
    expect(await statuses(lot, first, third)).toEqual(['delisted', 'available']);
    expect(await release(lot, id)).toMatchObject({ status: 400, reason: 'not_held' });
    expect(await searchFaults(lot.account.id)).toEqual([]);
  });

  test('is over once a later run reads a file again, even the one applied before it', async () => {
    const lot = await makeLot();
    const trucks = some(3);
    await lot.pull(trucks);
    const { id } = await lot.pull('vin,year,make\n', { status: 'held', rows: 0 });
    await lot.pull(trucks, { status: 'succeeded', unchanged: 3, delisted: 0 });
    expect(await release(lot, id)).toMatchObject({ status: 400, reason: 'superseded' });
    expect(await statuses(lot, ...trucks)).toEqual(['available', 'available', 'available']);
  });

  test('lets 20 go and holds 21, and more than 30 % of a large lot', async () => {
    const trucks = cleanTrucks(80);
    const lot = await makeLot();
    await lot.pull(trucks);
    await lot.pull(trucks.slice(20), { status: 'succeeded', delisted: 20 });
    const held = { status: 'held', would_delist: 21, delisted: 0 };
    const { id } = await lot.pull(trucks.slice(41), held);
    // What was new in a held snapshot belongs to the feed as well.
    const fresh = cleanTrucks(2);
    await lot.pull([...trucks.slice(42), ...fresh], { status: 'held', would_delist: 22, created: 2 });
    expect(await release(lot, id)).toMatchObject({
      status: 400,
      error: { details: { field: 'run', reason: 'superseded' } },
    });
    await lot.pull(trucks.slice(20), { status: 'succeeded', delisted: 2 });
    expect(await missing(lot)).toEqual([]);
  });

  test('holds a file in which no truck can be identified', async () => {
    const { pull } = await makeLot();
    await pull(some(2));
    const rows = some(2).map(({ vin, ...rest }) => ({ ...rest, colour: vin }));
    await pull(rows, { status: 'held', rows: 2, rejected: 2, would_delist: 2 });
  });
});

describe('a failed run', () => {
  test('says why and what to do, delists nothing, and the next one succeeds', async () => {
    const { pull, readStatus, account, feed } = await makeLot();
    const truck = cleanTruck();
    const { id } = await pull([truck]);
    const error = { reason: 'not_found', message: expect.any(String), fix: expect.any(String) };
    const failed = await pull(404, { status: 'failed', delisted: 0, error });
    expect(await readStatus(truck)).toBe('available');
    const { runs } = (await account.call('GET', `/v1/feeds/${feed}/runs`)).body;
    expect(runs.map((run: { id: string }) => run.id)).toEqual([failed.id, id]);
    await pull([truck, cleanTruck()], { status: 'succeeded', created: 1 });
  });

  test('what an earlier, broken file brought belongs to the feed', async () => {
    const lot = await makeLot();
    const [kept, brought] = some(2);
    await lot.pull([kept]);
    const { id } = await lot.pull([kept, brought]);
    // As if it had broken off after its rows: what it brought is there, and it was never applied.
    await queryRows(`update feed_runs set status = 'failed' where account_id = $1 and id = $2`, [
      lot.account.id,
      id,
    ]);
    await queryRows(`update feeds set file_sha256 = null where account_id = $1`, [lot.account.id]);
    await lot.pull([kept], { status: 'succeeded', delisted: 1 });
    expect(await lot.readStatus(brought)).toBe('delisted');
    expect(await missing(lot)).toEqual([]);
  });
});
