import { afterAll, expect, test } from 'vitest';
import * as fc from '../../support/oracles/fast-check.ts';
import { cleanTruck, cleanTrucks, type Truck } from '../../support/samples/trucks.ts';
import { type FeedLot, newLot, startFeedServer, toCsv } from '../../support/servers/feed-server.ts';
import { startService, type TestAccount } from '../../support/service/service.ts';

/** Several feeds of one account, each the file of a rooftop, and trucks that move between them. */

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

/** One rooftop's run of its file as it is, of a new one, or of one that cannot be read. */
const step = fc.record({
  lot: fc.nat(2),
  file: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom('same', 'broken') },
    { weight: 4, arbitrary: fc.subarray([0, 1, 2, 3]) },
  ),
});

/** Rooftops with the truth beside them: which trucks the file of each has, and had when it was applied last. */
async function openModel() {
  const [account, lots] = await openRooftops(['north', 'south', 'west']);
  const trucks = cleanTrucks(4);
  const rooftops = lots.map((feed) => ({
    feed,
    anchor: cleanTruck(),
    file: [] as number[],
    applied: [] as number[],
  }));
  const seen = new Set<number>();
  const at = (index: number) => rooftops[index] as (typeof rooftops)[number];
  return {
    lots: [...lots.keys()],
    serve(index: number, has = at(index).file) {
      at(index).file = has;
      at(index).feed.file.serve(toCsv([at(index).anchor, ...has.map((truck) => trucks[truck] as Truck)]));
    },
    breakFile: (index: number) => at(index).feed.file.serve('<broken'),
    async run(index: number) {
      if ((await at(index).feed.run()).status === 'failed') return;
      at(index).applied = at(index).file;
      for (const truck of at(index).file) seen.add(truck);
    },
    /** Each truck ever seen: how it stands, and the dealers whose applied file has it. */
    compare: () =>
      Promise.all(
        [...seen].map(async (truck) => ({
          ...(await read(account, trucks[truck] as Truck)),
          owners: rooftops.filter(({ applied }) => applied.includes(truck)).map(({ feed }) => feed.dealer),
        })),
      ),
  };
}

test('whatever moves and in whatever order files are pulled: for sale is what an applied file has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
      const model = await openModel();
      for (const index of model.lots) model.serve(index);
      for (const { lot, file } of steps) {
        if (file === 'broken') model.breakFile(lot);
        else model.serve(lot, typeof file === 'string' ? undefined : file);
        await model.run(lot);
        for (const { status, owners } of await model.compare())
          expect(status).toBe(owners.length > 0 ? 'available' : 'delisted');
      }
      // Once nothing moves any more, each truck is at a rooftop that has it.
      for (const index of [...model.lots, ...model.lots]) {
        model.serve(index);
        await model.run(index);
      }
      for (const { status, dealer, owners } of await model.compare())
        if (status === 'available') expect(owners).toContain(dealer);
    }),
    { numRuns: 2 },
  );
});
