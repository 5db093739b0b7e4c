import { afterAll, expect, test } from 'vitest';
import { cleanTrucks, type Truck } from '../../support/samples/trucks.ts';
import { newLot, startFeedServer } from '../../support/servers/feed-server.ts';
import { startService } from '../../support/service/service.ts';

/**
 * Several feeds of one account, each the file of a rooftop, and trucks that move between them. Any order of runs is tried in
 * tests/feeds/postgres/members.test.ts.
 */

const server = await startFeedServer();
const service = await startService(server.ports);
afterAll(() => server.close());

/** An account with a dealer and a feed per rooftop; both share a provider, and so their listings. */
async function openRooftops() {
  const account = await service.newAccount();
  const open = async (name: string) => {
    const dealer = `${name}-${account.id.slice(4, 16).toLowerCase()}`;
    await account.call('POST', '/v1/dealers', { slug: dealer, name });
    return { dealer, ...(await newLot(service, server, { dealer }, account)) };
  };
  const [moves, stays, other] = cleanTrucks(3) as [Truck, Truck, Truck];
  /** What is known of the truck that moves. */
  const expectMoved = async (expected: object) =>
    expect(await account.read(moves.vin)).toMatchObject(expected);
  return {
    account,
    north: await open('north'),
    south: await open('south'),
    moves,
    stays,
    other,
    expectMoved,
  };
}

const day = (number: number) => ({ 'last-modified': new Date(Date.UTC(2026, 0, 1 + number)).toUTCString() });

test.each(['old rooftop first', 'new rooftop first'])(
  'a truck that moves to another rooftop stays for sale until the last of both loses it, whichever file is pulled first: %s',
  async (order) => {
    const { north, south, moves, stays, other, expectMoved } = await openRooftops();
    await north.pull([moves, stays], {}, day(5));
    await south.pull([other], {}, day(1));
    const isOldFirst = order === 'old rooftop first';
    // The new rooftop's file is older than what the old one said, as when it is written only once a day.
    const pulls = [
      () => north.pull([stays], { status: 'succeeded' }, day(7)),
      () => south.pull([other, moves], { status: 'succeeded' }, day(3)),
    ];
    for (const pull of isOldFirst ? pulls : pulls.reverse()) await pull();
    await expectMoved({ status: 'available' });
    // A file that is the same as before is read again where the truck is its rooftop's alone by now.
    expect(await south.run()).toMatchObject({ status: isOldFirst ? 'unchanged' : 'succeeded' });
    await expectMoved({ status: 'available', dealer: south.dealer });
    await south.pull([other], { delisted: 1 });
    await expectMoved({ status: 'delisted' });
  },
);

test('the API’s word about a truck is newer than the file of the rooftop that keeps it', async () => {
  const { account, north, south, moves, stays, other, expectMoved } = await openRooftops();
  await south.pull([moves, other], {}, day(1));
  await north.pull([moves, stays], {}, day(1));
  await account.post({ ...moves, price: 77_000, source_provider_id: 'dms' });
  await north.pull([stays], {}, day(2));
  await south.run();
  await expectMoved({ status: 'available', price: 77_000 });
});
