import { afterAll, expect, test } from 'vitest';
import { cleanTrucks, type Truck } from '../../support/samples/trucks.ts';
import { type FeedLot, newLot, startFeedServer, toCsv } from '../../support/servers/feed-server.ts';
import { startService, type TestAccount } from '../../support/service/service.ts';

/**
 * Several feeds of one account, each the file of a rooftop, and trucks that move between them. Any order of runs is tried in
 * tests/feeds/postgres/members.test.ts.
 */

const server = await startFeedServer();
const service = await startService(server.ports);
afterAll(() => server.close());

interface Rooftop extends FeedLot {
  dealer: string;
}

/** An account with a dealer and a feed per rooftop; all share a provider, and so their listings. */
async function openRooftops<const Names extends readonly string[]>(names: Names) {
  const account = await service.newAccount();
  const lots: Rooftop[] = [];
  for (const name of names) {
    const dealer = `${name}-${account.id.slice(4, 16).toLowerCase()}`;
    await account.call('POST', '/v1/dealers', { slug: dealer, name });
    lots.push({ dealer, ...(await newLot(service, server, { dealer }, account)) });
  }
  // One of each name, in their order.
  return [account, lots as { [At in keyof Names]: Rooftop }] as const;
}

const day = (number: number) => ({ 'last-modified': new Date(Date.UTC(2026, 0, 1 + number)).toUTCString() });

async function read(account: TestAccount, { vin }: Truck) {
  const { status, dealer, price } = await account.read(vin);
  return { status, dealer, price };
}

test('a truck that moves to another rooftop stays for sale, whichever file is pulled first', async () => {
  for (const order of ['old rooftop first', 'new rooftop first']) {
    const [account, [north, south]] = await openRooftops(['north', 'south']);
    const [moves, stays, other] = cleanTrucks(3) as [Truck, Truck, Truck];
    north.file.serve(toCsv([moves, stays]), day(5));
    south.file.serve(toCsv([other]), day(1));
    await north.run();
    await south.run();
    north.file.serve(toCsv([stays]), day(7));
    // The new rooftop's file is older than what the old one said, as when it is written only once a day.
    south.file.serve(toCsv([other, moves]), day(3));
    const runs = order === 'old rooftop first' ? [north, south] : [south, north];
    for (const { run } of runs) expect((await run()).status).toBe('succeeded');
    expect((await read(account, moves)).status, order).toBe('available');
    expect(await south.run()).toMatchObject({
      status: order === 'old rooftop first' ? 'unchanged' : 'succeeded',
    });
    expect(await read(account, moves), order).toMatchObject({ status: 'available', dealer: south.dealer });
  }
});

test('what two rooftops list is delisted only when the last of them loses it', async () => {
  const [account, [north, south]] = await openRooftops(['north', 'south']);
  const [shared, anchor, second] = cleanTrucks(3) as [Truck, Truck, Truck];
  north.file.serve(toCsv([shared, anchor]));
  south.file.serve(toCsv([shared, second]));
  await south.run();
  await north.run();
  expect((await read(account, shared)).dealer).toBe(north.dealer);
  north.file.serve(toCsv([anchor]));
  expect(await north.run()).toMatchObject({ status: 'succeeded', delisted: 0 });
  expect((await read(account, shared)).status).toBe('available');
  // South's file is the same as before, and is read again all the same, because the truck is South's alone now.
  expect(await south.run()).toMatchObject({ status: 'succeeded', merged: 1 });
  expect(await read(account, shared)).toMatchObject({ status: 'available', dealer: south.dealer });
  expect(await south.run()).toMatchObject({ status: 'unchanged' });
  south.file.serve(toCsv([second]));
  expect(await south.run()).toMatchObject({ delisted: 1 });
  expect((await read(account, shared)).status).toBe('delisted');
});

test('a move of half a lot is not held as if it were gone', async () => {
  const [, [north, south]] = await openRooftops(['north', 'south']);
  const lot = cleanTrucks(50);
  north.file.serve(toCsv(lot));
  await north.run();
  south.file.serve(toCsv(lot.slice(25)));
  await south.run();
  north.file.serve(toCsv(lot.slice(0, 25)));
  expect(await north.run()).toMatchObject({ status: 'succeeded', delisted: 0 });
});

test('the API’s word about a truck is newer than the file of the rooftop that keeps it', async () => {
  const [account, [north, south]] = await openRooftops(['north', 'south']);
  const [shared, anchor, second] = cleanTrucks(3) as [Truck, Truck, Truck];
  north.file.serve(toCsv([shared, anchor]), day(1));
  south.file.serve(toCsv([shared, second]), day(1));
  await south.run();
  await north.run();
  await account.post({ ...shared, price: 77_000, source_provider_id: 'dms' });
  north.file.serve(toCsv([anchor]), day(2));
  await north.run();
  await south.run();
  expect(await read(account, shared)).toMatchObject({ status: 'available', price: 77_000 });
});

test('a feed that is switched off keeps nothing for sale', async () => {
  const [account, [north, south]] = await openRooftops(['north', 'south']);
  const [shared, anchor] = cleanTrucks(2) as [Truck, Truck];
  for (const lot of [south, north]) {
    lot.file.serve(toCsv([shared, anchor]));
    await lot.run();
  }
  await account.call('PATCH', `/v1/feeds/${south.feed}`, { enabled: false });
  north.file.serve(toCsv([anchor]));
  expect(await north.run()).toMatchObject({ delisted: 1 });
  expect((await read(account, shared)).status).toBe('delisted');
});
