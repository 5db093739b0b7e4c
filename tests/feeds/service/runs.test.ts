import { afterAll, describe, expect, test } from 'vitest';
import { marketFaults } from '../../support/oracles/market-recount.ts';
import { searchFaults } from '../../support/oracles/search-recount.ts';
import { cleanTruck, cleanTrucks, type Truck } from '../../support/samples/trucks.ts';
import { newLot, startFeedServer, toCsv } from '../../support/servers/feed-server.ts';
import { queryRows } from '../../support/service/database.ts';
import { startService } from '../../support/service/service.ts';

/** What a run of a feed does to the account's listings. */

const server = await startFeedServer();
const service = await startService(server.ports);
afterAll(() => server.close());

const makeLot = (change: Record<string, unknown> = {}) => newLot(service, server, change);
const long = (trucks: readonly Truck[], without: number) => toCsv(trucks.slice(without));

describe('a snapshot', () => {
  test('creates, merges and leaves as it is, delists what it lacks, and tells of all that', async () => {
    const { account, file, run, readStatus, feed } = await makeLot();
    const trucks = cleanTrucks(6);
    file.serve(toCsv(trucks));
    expect(await run()).toMatchObject({
      status: 'succeeded',
      rows: 6,
      created: 6,
      merged: 0,
      unchanged: 0,
      delisted: 0,
      rejected: 0,
      rejects: [],
      rejects_by_code: {},
    });
    const [gone, repriced, ...rest] = trucks as [Truck, Truck, ...Truck[]];
    const fresh = cleanTruck();
    file.serve(toCsv([{ ...repriced, price: 61_000 }, ...rest, fresh]));
    const second = await run();
    expect(second).toMatchObject({
      status: 'succeeded',
      rows: 6,
      created: 1,
      merged: 1,
      unchanged: 4,
      delisted: 1,
    });
    expect(second.phases).toMatchObject({ fetch: expect.any(Number), ingest: expect.any(Number) });
    expect(second.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await readStatus(gone)).toBe('delisted');
    expect(await readStatus(fresh)).toBe('available');
    const read = await account.call('GET', `/v1/inventory/${repriced.vin}`);
    expect(read.body.price).toBe(61_000);
    expect((await account.call('GET', `/v1/feeds/${feed}`)).body.last_run.id).toBe(second.id);
    expect(await searchFaults(account.id)).toEqual([]);
    expect(await marketFaults(service.ports.db)).toEqual([]);
  });

  test('marks a sold truck and lists none that is sold or off the lot; notes and sums are no trucks', async () => {
    const { account, file, run, readStatus } = await makeLot();
    const [listed, gone, never] = cleanTrucks(3) as [Truck, Truck, Truck];
    file.serve(toCsv([{ ...listed, status: 'In Stock' }, gone]));
    expect(await run()).toMatchObject({ created: 2 });
    file.serve(
      toCsv([
        { ...listed, status: 'Vendido' },
        { ...gone, status: 'Inactive' },
        { ...never, status: 'SOLD - awaiting delivery' },
        { vin: 'ESTOS DE ABAJO' },
        { price: 3_512_345 },
      ]),
    );
    expect(await run()).toMatchObject({
      rows: 3,
      created: 0,
      merged: 2,
      unchanged: 1,
      rejected: 0,
      delisted: 0,
    });
    expect([await readStatus(listed), await readStatus(gone)]).toEqual(['sold', 'delisted']);
    expect((await account.call('GET', `/v1/inventory/${never.vin}`)).status).toBe(404);
  });

  test('whose truck comes back lists it again', async () => {
    const { file, run, readStatus } = await makeLot();
    const [first, second] = cleanTrucks(2) as [Truck, Truck];
    for (const [trucks, status] of [
      [[first, second], 'available'],
      [[second], 'delisted'],
      [[second, first], 'available'],
    ] as const) {
      file.serve(toCsv(trucks));
      expect((await run()).status).toBe('succeeded');
      expect(await readStatus(first)).toBe(status);
    }
  });

  test('whose truck is gone calls it vanished, not sold, and a dealer with feeds alone feed-only', async () => {
    const { account, file, run } = await makeLot();
    const make = `Zv${process.pid}`;
    const [gone, sold, stays] = cleanTrucks(3, { make }) as [Truck, Truck, Truck];
    const ownTrends = async () => {
      const { body } = await account.call('GET', `/v1/market-data/trends?make=${make}&weeks=1`);
      return body.own;
    };
    file.serve(toCsv([gone, sold, stays]));
    await run();
    file.serve(toCsv([sold, stays]));
    await run();
    expect(await ownTrends()).toMatchObject({
      feed_only: true,
      weeks: [{ supply: 2, sold: 0, vanished: 1, days_on_market: null }],
    });
    await account.patch({ vin: sold.vin, status: 'sold' });
    expect(await ownTrends()).toMatchObject({
      feed_only: false,
      weeks: [{ supply: 1, sold: 1, vanished: 1, days_on_market: 0 }],
    });
  });

  test('with the bytes of the last one ends as unchanged, and as read anew once the feed reads it otherwise', async () => {
    const { account, feed, file, run } = await makeLot();
    file.serve(toCsv(cleanTrucks(2)));
    const first = await run();
    expect(await run()).toMatchObject({ status: 'unchanged', rows: 0, delisted: 0, sha256: first.sha256 });
    await account.call('PATCH', `/v1/feeds/${feed}`, { defaults: { color: 'White' } });
    expect(await run()).toMatchObject({ status: 'succeeded', rows: 2, merged: 2 });
  });

  test('keeps a truck whose row is rejected, and tells the line, the field and the fix', async () => {
    const { account, file, run, readStatus, feed } = await makeLot();
    const [good, spoiled] = cleanTrucks(2) as [Truck, Truck];
    file.serve(toCsv([good, spoiled]));
    await run();
    file.serve(toCsv([good, { ...spoiled, price: 12, trim: '=1+1' }]));
    const second = await run();
    expect(second).toMatchObject({
      status: 'succeeded',
      rows: 2,
      unchanged: 1,
      rejected: 1,
      delisted: 0,
      rejects_by_code: { PRICE_INVALID: 1 },
      rejects: [
        { line: 3, vin: spoiled.vin, code: 'PRICE_INVALID', field: 'price', fix: expect.any(String) },
      ],
    });
    expect(await readStatus(spoiled)).toBe('available');
    const path = `/v1/feeds/${feed}/runs/${second.id}`;
    expect((await account.call('GET', path)).body).toEqual(second);
    const csv = await account.call('GET', `${path}/rejects.csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.text).toMatch(/^line,vin,code,field,received,fix\r\n3,\w{17},PRICE_INVALID,price,"?'?\$?12/);
  });

  test('delists only once it was missing as often as the feed allows, in a row', async () => {
    const { file, run, readStatus } = await makeLot({ misses_before_delist: 2 });
    const [stays, goes, wavers] = cleanTrucks(3) as [Truck, Truck, Truck];
    const serve = (...trucks: Truck[]) =>
      file.serve(toCsv(trucks.map((truck) => ({ ...truck, n: Math.random() }))));
    serve(stays, goes, wavers);
    await run();
    serve(stays);
    expect(await run()).toMatchObject({ delisted: 0 });
    serve(stays, wavers);
    expect(await run()).toMatchObject({ delisted: 1 });
    expect([await readStatus(goes), await readStatus(wavers)]).toEqual(['delisted', 'available']);
    serve(stays);
    expect(await run()).toMatchObject({ delisted: 0 });
    serve(stays);
    expect(await run()).toMatchObject({ delisted: 1 });
    expect(await readStatus(wavers)).toBe('delisted');
  });

  test('touches only what the feed brought: not the stock of another feed, of another provider, of the API', async () => {
    const first = await makeLot({ source_provider_id: 'a' });
    const { account } = first;
    const second = await newLot(service, server, { source_provider_id: 'b' }, account);
    const [shared, other, posted] = cleanTrucks(3) as [Truck, Truck, Truck];
    await account.post({ ...posted, source_provider_id: 'a' });
    first.file.serve(toCsv([shared]));
    second.file.serve(toCsv([shared, other]));
    await first.run();
    await second.run();
    first.file.serve(toCsv([other]));
    expect(await first.run()).toMatchObject({ created: 1, delisted: 1 });
    expect(await first.readStatus(shared)).toBe('available');
    expect(await first.readStatus(posted)).toBe('available');
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
    const { account, file, run, readStatus } = await makeLot();
    const [sold, repriced, reposted, stays] = cleanTrucks(4) as [Truck, Truck, Truck, Truck];
    file.serve(toCsv([sold, repriced, reposted, stays]), EARLIER);
    await run();
    await account.patch({ vin: sold.vin, status: 'sold' });
    const posts = [repriced, reposted].map((truck) => ({
      ...truck,
      price: 55_000,
      source_provider_id: 'dms',
    }));
    await account.post({ records: posts });
    file.serve(toCsv([sold, { ...repriced, price: 44_000 }, stays]), LONG_AGO);
    expect(await run()).toMatchObject({ status: 'succeeded', merged: 0, unchanged: 3, delisted: 0 });
    expect(await readStatus(sold)).toBe('sold');
    expect(await readStatus(reposted)).toBe('available');
    expect((await account.read(repriced.vin)).price).toBe(55_000);
    // A snapshot of now knows better, but a sold truck stays sold.
    file.serve(toCsv([sold, { ...repriced, price: 43_000 }, stays]));
    expect(await run()).toMatchObject({ merged: 1, delisted: 1 });
    expect([await readStatus(sold), await readStatus(reposted)]).toEqual(['sold', 'delisted']);
  });

  test('older than the one applied last, with other content, changes nothing and says that it is stale', async () => {
    const { file, run, readStatus } = await makeLot();
    const [first, second] = cleanTrucks(2) as [Truck, Truck];
    file.serve(toCsv([first]), LONG_AGO);
    await run();
    file.serve(toCsv([second]), EARLIER);
    const error = {
      reason: 'stale',
      message: expect.stringContaining('2026-01-04'),
      fix: expect.any(String),
    };
    expect(await run()).toMatchObject({ status: 'failed', rows: 0, error });
    expect([await readStatus(first), await readStatus(second)]).toEqual(['available', 404]);
    file.serve(toCsv([second, first]), LONG_AGO);
    expect(await run()).toMatchObject({ status: 'succeeded', created: 1 });
  });
});

describe('the guard', () => {
  test('holds an empty snapshot; a release delists, but for what was changed since', async () => {
    const { account, feed, file, run, readStatus } = await makeLot();
    const trucks = cleanTrucks(3);
    const [first, , third] = trucks as [Truck, Truck, Truck];
    file.serve(toCsv(trucks));
    await run();
    file.serve(toCsv(trucks).split('\n')[0] ?? '');
    const held = await run();
    expect(held).toMatchObject({ status: 'held', rows: 0, delisted: 0, would_delist: 3 });
    expect(await readStatus(first)).toBe('available');
    await account.post({ ...third, price: 51_000, source_provider_id: 'dms' });
    const path = `/v1/feeds/${feed}/runs/${held.id}/release?wait=true`;
    const released = await account.call('POST', path);
    expect([released.status, released.body]).toMatchObject([
      200,
      { status: 'succeeded', delisted: 2, would_delist: 3 },
    ]);
    expect([await readStatus(first), await readStatus(third)]).toEqual(['delisted', 'available']);
    const again = await account.call('POST', path);
    expect([again.status, again.body.error?.details.reason]).toEqual([400, 'not_held']);
    expect(await searchFaults(account.id)).toEqual([]);
  });

  test('is over once a later run reads a file again, even the one applied before it', async () => {
    const { account, file, run, feed, readStatus } = await makeLot();
    const trucks = cleanTrucks(3);
    file.serve(toCsv(trucks));
    await run();
    file.serve('vin,year,make\n');
    const held = await run();
    expect(held).toMatchObject({ status: 'held', rows: 0 });
    file.serve(toCsv(trucks));
    expect(await run()).toMatchObject({ status: 'succeeded', unchanged: 3, delisted: 0 });
    const release = await account.call('POST', `/v1/feeds/${feed}/runs/${held.id}/release?wait=true`);
    expect([release.status, release.body.error?.details.reason]).toEqual([400, 'superseded']);
    expect(await Promise.all(trucks.map(readStatus))).toEqual(['available', 'available', 'available']);
  });

  test('lets 20 go and holds 21, and more than 30 % of a large lot', async () => {
    const trucks = cleanTrucks(80);
    const { file, run, account, feed } = await makeLot();
    file.serve(toCsv(trucks));
    await run();
    file.serve(long(trucks, 20));
    expect(await run()).toMatchObject({ status: 'succeeded', delisted: 20 });
    file.serve(long(trucks, 41));
    const held = await run();
    expect(held).toMatchObject({ status: 'held', would_delist: 21, delisted: 0 });
    // What was new in a held snapshot belongs to the feed as well.
    const fresh = cleanTrucks(2);
    file.serve(toCsv([...trucks.slice(42), ...fresh]));
    expect(await run()).toMatchObject({ status: 'held', would_delist: 22, created: 2 });
    const late = await account.call('POST', `/v1/feeds/${feed}/runs/${held.id}/release`);
    expect([late.status, late.body.error?.details]).toMatchObject([
      400,
      { field: 'run', reason: 'superseded' },
    ]);
    file.serve(long(trucks, 20));
    expect(await run()).toMatchObject({ status: 'succeeded', delisted: 2 });
    expect(
      await queryRows('select 1 from feed_members where account_id = $1 and part is null', [account.id]),
    ).toEqual([]);
  });

  test('holds a file in which no truck can be told', async () => {
    const { file, run } = await makeLot();
    file.serve(toCsv(cleanTrucks(2)));
    await run();
    file.serve(toCsv(cleanTrucks(2).map(({ vin, ...rest }) => ({ ...rest, colour: vin }))));
    expect(await run()).toMatchObject({ status: 'held', rows: 2, rejected: 2, would_delist: 2 });
  });

  test('is not asked to release what it does not hold', async () => {
    const { account, feed, file, run } = await makeLot();
    file.serve(toCsv(cleanTrucks(1)));
    const { id } = await run();
    const refused = await account.call('POST', `/v1/feeds/${feed}/runs/${id}/release`);
    expect([refused.status, refused.body.error?.details]).toMatchObject([
      400,
      { field: 'run', reason: 'not_held' },
    ]);
  });
});

describe('a failed run', () => {
  test('says why and what to do, delists nothing, and the next one succeeds', async () => {
    const { file, run, readStatus, account, feed } = await makeLot();
    const [truck] = cleanTrucks(1) as [Truck];
    file.serve(toCsv([truck]));
    await run();
    file.serve(404);
    expect(await run()).toMatchObject({
      status: 'failed',
      delisted: 0,
      error: { reason: 'not_found', message: expect.any(String), fix: expect.any(String) },
    });
    expect(await readStatus(truck)).toBe('available');
    const runs = await account.call('GET', `/v1/feeds/${feed}/runs`);
    expect(runs.body.runs.map(({ status }: { status: string }) => status)).toEqual(['failed', 'succeeded']);
  });

  test('what an earlier, broken file brought belongs to the feed', async () => {
    const { file, run, readStatus, account } = await makeLot();
    const trucks = cleanTrucks(2);
    const [kept, brought] = trucks as [Truck, Truck];
    file.serve(toCsv([kept]));
    await run();
    await breakAfterFirstChunk(toCsv(trucks));
    expect(await readStatus(brought)).toBe('available');
    file.serve(toCsv([kept]));
    expect(await run()).toMatchObject({ status: 'succeeded', delisted: 1 });
    expect(await readStatus(brought)).toBe('delisted');
    expect(
      await queryRows('select 1 from feed_members where account_id = $1 and part is null', [account.id]),
    ).toEqual([]);

    async function breakAfterFirstChunk(text: string) {
      file.serve(text);
      const { id } = await run();
      await queryRows(`update feed_runs set status = 'failed' where account_id = $1 and id = $2`, [
        account.id,
        id,
      ]);
      // As if it had never been applied: what was found before it is still there.
      await queryRows(`update feeds set file_sha256 = null where account_id = $1`, [account.id]);
    }
  });
});

test('the same truck twice in a file is one listing, and the later row wins', async () => {
  const { account, file, run } = await makeLot();
  const [truck] = cleanTrucks(1) as [Truck];
  file.serve(toCsv([truck, { ...truck, price: 41_000 }]));
  expect(await run()).toMatchObject({ rows: 2, created: 1, merged: 1 });
  expect((await account.read(truck.vin)).price).toBe(41_000);
});
