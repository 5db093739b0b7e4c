import { afterAll, describe, expect, test } from 'vitest';
import { marketFaults } from '../../support/oracles/market-recount.ts';
import { searchFaults } from '../../support/oracles/search-recount.ts';
import { cleanTruck, cleanTrucks, type Truck } from '../../support/samples/trucks.ts';
import { type FeedLot, newLot, startFeedServer } from '../../support/servers/feed-server.ts';
import { startService } from '../../support/service/service.ts';

/** What a run of a feed does to the account's listings. */

const server = await startFeedServer();
const service = await startService(server.ports);
afterAll(() => server.close());

const makeLot = (change: Record<string, unknown> = {}) => newLot(service, server, change);
/** So many trucks, each by a name of its own. */
const some = (count: number, change = {}) => cleanTrucks(count, change) as [Truck, Truck, Truck, Truck];
const statuses = ({ readStatus }: FeedLot, ...trucks: Truck[]) => Promise.all(trucks.map(readStatus));

async function decide({ account, feed }: FeedLot, run: string, decision: string) {
  const { status, body } = await account.call('POST', `/v1/feeds/${feed}/runs/${run}/${decision}`);
  return { status, ...body, reason: body.error?.details?.reason };
}
const release = (dealerFeed: FeedLot, run: string) => decide(dealerFeed, run, 'release?wait=true');
const refuse = (dealerFeed: FeedLot, run: string) => decide(dealerFeed, run, 'refuse');

describe('a snapshot', () => {
  test('creates, merges and leaves as it is, delists what it lacks and lists it again when it is back, and tells of all that', async () => {
    const dealerFeed = await makeLot();
    const [absent, repriced, ...rest] = some(6);
    const none = { created: 0, merged: 0, unchanged: 0, delisted: 0, rejected: 0 };
    const nothing = { ...none, rejects: [], rejects_by_code: {}, status: 'succeeded', rows: 6 };
    await dealerFeed.pull([absent, repriced, ...rest], { ...nothing, created: 6 });
    const newTruck = cleanTruck();
    const second = await dealerFeed.pull([{ ...repriced, price: 61_000 }, ...rest, newTruck], {
      ...nothing,
      created: 1,
      merged: 1,
      unchanged: 4,
      delisted: 1,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await statuses(dealerFeed, absent, newTruck)).toEqual(['delisted', 'available']);
    expect((await dealerFeed.account.read(repriced.vin)).price).toBe(61_000);
    expect((await dealerFeed.account.call('GET', `/v1/feeds/${dealerFeed.feed}`)).body.last_run.id).toBe(
      second.id,
    );
    await dealerFeed.pull([absent, repriced, ...rest]);
    expect(await statuses(dealerFeed, absent, newTruck)).toEqual(['available', 'delisted']);
    expect(await searchFaults(dealerFeed.account.id)).toEqual([]);
    expect(await marketFaults(service.ports.db)).toEqual([]);
  });

  test('gives a truck that is in it twice the values of its last row', async () => {
    const dealerFeed = await makeLot();
    const trucks = cleanTrucks(1_000);
    const twice = trucks[900] as Truck;
    for (const price of [47_000, 46_000]) {
      await dealerFeed.pull([...trucks, { ...twice, price }]);
      expect((await dealerFeed.account.read(twice.vin)).price).toBe(price);
    }
  });

  test('marks a sold truck and lists none that is sold or off the lot', async () => {
    const dealerFeed = await makeLot();
    const [soldTruck, delistedTruck, never] = some(3);
    await dealerFeed.pull([{ ...soldTruck, status: 'In Stock' }, delistedTruck], { created: 2 });
    const rows = [
      { ...soldTruck, status: 'Vendido' },
      { ...delistedTruck, status: 'Inactive' },
      { ...never, status: 'SOLD - awaiting delivery' },
    ];
    await dealerFeed.pull(rows, { rows: 3, created: 0, merged: 2, unchanged: 1, rejected: 0, delisted: 0 });
    expect(await statuses(dealerFeed, soldTruck, delistedTruck, never)).toEqual(['sold', 'delisted', 404]);
  });

  test('whose truck is gone calls it vanished, not sold, and a dealer with feeds alone feed-only', async () => {
    const { account, pull } = await makeLot();
    const make = `Zv${process.pid}`;
    const [absent, soldTruck, stays] = some(3, { make });
    const ownTrends = async () =>
      (await account.call('GET', `/v1/market-data/trends?make=${make}&weeks=1`)).body.own;
    await pull([absent, soldTruck, stays]);
    await pull([soldTruck, stays]);
    const weeks = [{ supply: 2, sold: 0, vanished: 1 }];
    expect(await ownTrends()).toMatchObject({ feed_only: true, weeks });
    await account.patch({ vin: soldTruck.vin, status: 'sold' });
    const later = [{ supply: 1, sold: 1, vanished: 1 }];
    expect(await ownTrends()).toMatchObject({ feed_only: false, weeks: later });
  });

  test('with the bytes of the last one ends as unchanged, one that fails says why, and once the feed reads it otherwise it is read anew', async () => {
    const { account, feed, pull, run, readStatus } = await makeLot();
    const trucks = some(2);
    const { sha256 } = await pull(trucks);
    expect(await run()).toMatchObject({ status: 'unchanged', rows: 0, delisted: 0, sha256 });
    const error = { reason: 'not_found', message: expect.any(String), fix: expect.any(String) };
    await pull(404, { status: 'failed', delisted: 0, error });
    expect(await readStatus(trucks[0])).toBe('available');
    await account.call('PATCH', `/v1/feeds/${feed}`, { defaults: { color: 'White' } });
    await pull(trucks, { status: 'succeeded', rows: 2, merged: 2 });
  });

  test('keeps a truck whose row is rejected, and returns its line, its numbers and all that is wrong', async () => {
    const { account, pull, readStatus, feed } = await makeLot();
    const [good, spoiled] = some(2);
    await pull([good, spoiled]);
    const code = 'YEAR_OUT_OF_RANGE';
    const second = await pull([good, { ...spoiled, year: 1950, price: 12, stock_number: '=1+1' }], {
      status: 'succeeded',
      rows: 2,
      unchanged: 1,
      rejected: 1,
      delisted: 0,
      rejects_by_code: { [code]: 1 },
      rejects: [
        {
          line: 3,
          vin: spoiled.vin,
          stock_number: '=1+1',
          code,
          field: 'year',
          fix: expect.any(String),
          also: ['price'],
        },
      ],
    });
    expect(await readStatus(spoiled)).toBe('available');
    const csv = await account.call('GET', `/v1/feeds/${feed}/runs/${second.id}/rejects.csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.text).toMatch(
      /^line,vin,code,field,received,fix,also,stock_number\r\n3,\w{17},YEAR_OUT_OF_RANGE,year,1950,.*,price,'=1\+1\r\n/,
    );
  });

  test('touches only what the feed brought: not the stock of another feed, of another provider, of the API', async () => {
    const first = await makeLot({ source_provider_id: 'a' });
    const { account } = first;
    const second = await newLot(service, server, { source_provider_id: 'b' }, account);
    const [shared, other, postedTruck] = some(3);
    await account.post({ ...postedTruck, source_provider_id: 'a' });
    await first.pull([shared]);
    await second.pull([shared, other]);
    await first.pull([other], { created: 1, delisted: 1 });
    expect(await statuses(first, shared, postedTruck)).toEqual(['available', 'available']);
    const { sources } = await account.read(shared.vin);
    expect(sources.map((source: Truck) => [source.source_provider_id, source.status]).sort()).toEqual([
      ['a', 'delisted'] as const,
      ['b', 'available'] as const,
    ]);
  });
});

test('a stale snapshot overwrites no later change by the API, revives no sold truck and delists nothing that was posted since; one older than that applied last says that it is stale', async () => {
  const { account, pull, readStatus } = await makeLot();
  const earlier = { 'last-modified': 'Sun, 04 Jan 2026 08:00:00 GMT' };
  const [soldTruck, repriced, reposted, stays] = some(4);
  await pull([soldTruck, repriced, reposted, stays], {}, earlier);
  await account.patch({ vin: soldTruck.vin, status: 'sold' });
  const post = { price: 55_000, source_provider_id: 'dms' };
  await account.post({ records: [repriced, reposted].map((truck) => ({ ...truck, ...post })) });
  const older = { status: 'succeeded', merged: 0, unchanged: 3, delisted: 0 };
  await pull([soldTruck, { ...repriced, price: 44_000 }, stays], older, earlier);
  const expectStatuses = async (...expected: string[]) =>
    expect(await Promise.all([soldTruck, reposted, repriced].map(readStatus))).toEqual(expected);
  await expectStatuses('sold', 'available', 'available');
  expect((await account.read(repriced.vin)).price).toBe(55_000);
  // A snapshot of now knows better, but a sold truck stays sold.
  await pull([soldTruck, { ...repriced, price: 43_000 }, stays], { merged: 1, delisted: 1 });
  const error = { reason: 'stale', message: expect.stringContaining('2026-01-04'), fix: expect.any(String) };
  await pull([soldTruck, reposted], { status: 'failed', rows: 0, error }, earlier);
  await expectStatuses('sold', 'delisted', 'available');
});

describe('the guard', () => {
  test('holds a snapshot in which no truck can be identified, and an empty one; a release delists, but for what was changed since', async () => {
    const dealerFeed = await makeLot();
    const [first, second, third] = some(3);
    await dealerFeed.pull([first, second, third]);
    const error = { reason: 'no_trucks', message: 'No row of the file has a readable VIN.' };
    const heldRun = { status: 'held', delisted: 0, would_delist: 3, error };
    const nameless = some(2).map(({ vin, ...rest }) => ({ ...rest, colour: vin }));
    await dealerFeed.pull(nameless, { ...heldRun, rows: 2, rejected: 2 });
    const { id } = await dealerFeed.pull('vin,year,make\n', { ...heldRun, rows: 0 });
    expect(await dealerFeed.readStatus(first)).toBe('available');
    await dealerFeed.account.post({ ...third, price: 51_000, source_provider_id: 'dms' });
    const released = await release(dealerFeed, id);
    expect(released).toMatchObject({ status: 'succeeded', delisted: 2, would_delist: 3 });
    expect(released).not.toHaveProperty('error');
    expect(await statuses(dealerFeed, first, third)).toEqual(['delisted', 'available']);
    expect(await release(dealerFeed, id)).toMatchObject({ status: 400, reason: 'not_held' });
    expect(await searchFaults(dealerFeed.account.id)).toEqual([]);
  });

  test('lets 20 or 30 % go and holds what is more of both, until a later run reads a file', async () => {
    const trucks = cleanTrucks(80);
    const dealerFeed = await makeLot();
    await dealerFeed.pull(trucks);
    await dealerFeed.pull(trucks.slice(22), { status: 'succeeded', delisted: 22 });
    const newTrucks = cleanTrucks(2);
    // 21 of 58 are 36 %; 20 are 34 %.
    const error = {
      reason: 'many_missing',
      message: expect.stringContaining('21 of the feed’s 58 available'),
    };
    const heldRun = { status: 'held', would_delist: 21, delisted: 0, created: 2, error };
    const { id } = await dealerFeed.pull([...trucks.slice(43), ...newTrucks], heldRun);
    await dealerFeed.pull([...trucks.slice(42), ...newTrucks], { status: 'succeeded', delisted: 20 });
    // What was new in a held snapshot belongs to the feed as well.
    await dealerFeed.pull(trucks.slice(42), { status: 'succeeded', unchanged: 38, delisted: 2 });
    const { body } = await dealerFeed.account.call('GET', `/v1/feeds/${dealerFeed.feed}/runs/${id}`);
    expect(body).toMatchObject({ status: 'closed', delisted: 0 });
    for (const answer of [await release(dealerFeed, id), await refuse(dealerFeed, id)])
      expect(answer).toMatchObject({ status: 400, reason: 'not_held' });
  });

  test('holds no file again that a person refused, and judges the next one anew', async () => {
    const dealerFeed = await makeLot();
    const trucks = cleanTrucks(30);
    await dealerFeed.pull(trucks);
    const short = trucks.slice(0, 5);
    const { id } = await dealerFeed.pull(short, { status: 'held', would_delist: 25 });
    expect(await refuse(dealerFeed, id)).toMatchObject({ status: 'closed', delisted: 0 });
    await dealerFeed.pull(short, { status: 'unchanged', delisted: 0 });
    await dealerFeed.pull(short.slice(1), { status: 'held', would_delist: 26 });
    await dealerFeed.pull(trucks, { status: 'succeeded', delisted: 0 });
    expect(await dealerFeed.readStatus(trucks[29] as Truck)).toBe('available');
  });
});
