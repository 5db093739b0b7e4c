import { afterAll, expect, test } from 'vitest';
import { marketFaults } from '../../support/oracles/market-recount.ts';
import { searchFaults } from '../../support/oracles/search-recount.ts';
import { jpeg } from '../../support/samples/pictures.ts';
import { cleanTrucks, type Truck } from '../../support/samples/trucks.ts';
import { type FeedLot, newLot, startFeedServer, toCsv } from '../../support/servers/feed-server.ts';
import { startImageServer } from '../../support/servers/image-server.ts';
import { makeJobsDue, queryRows } from '../../support/service/database.ts';
import { CRON_SECRET, startService, type TestAccount } from '../../support/service/service.ts';

/** A day on an account: everything that changes listings runs at once, beside one client that polls and one that exports. */

const files = await startFeedServer();
const pictures = await startImageServer();
const service = await startService((base) => {
  const ports = { ...base, ...pictures.ports(base) };
  return { ...ports, ...files.ports(ports) };
});
afterAll(async () => {
  await pictures.settled();
  await Promise.all([files.close(), pictures.close()]);
});

const PLACES = [
  { city: 'San Antonio', state: 'TX', zip: '78219' },
  { city: 'Tulsa', state: 'OK', zip: '74103' },
  { city: 'Calgary', state: 'AB', zip: 'T2P 1J9' },
];
const ALL = 'status=available,sold,delisted';
const ROUNDS = 8;

let dice = 11;
const roll = (sides: number) => {
  dice = (Math.imul(dice, 1_664_525) + 1_013_904_223) >>> 0;
  return (dice >>> 8) % sides;
};
const pick = <Value>(values: readonly Value[]): Value => values[roll(values.length)] as Value;
const some = <Value>(values: readonly Value[]) => values.filter(() => roll(3) === 0);
const runDue = async () => {
  const run = await service.call('GET', '/api/cron/due', { token: CRON_SECRET });
  expect(run.status, run.text).toBe(200);
};

type Copy = Map<string, unknown>;

/** Reads all pages of a search into the copy; returns what the next poll begins with. */
async function readInto(copy: Copy, account: TestAccount, query: string): Promise<string> {
  let syncedUntil: string | null = null;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = `/v1/inventory?facets=false&limit=40&${query}${cursor && `&cursor=${cursor}`}`;
    const { status, body, text } = await account.call('GET', page);
    expect(status, text).toBe(200);
    for (const listing of body.listings) copy.set(listing.dedup_hash, listing);
    syncedUntil ??= body.synced_until;
    cursor = body.next_cursor;
  }
  return String(syncedUntil);
}

interface Day {
  account: TestAccount;
  dealer: string;
  lot: FeedLot;
  trucks: Truck[];
  photos: string[];
}

/** What one turn may do to the account's listings. */
const WORK: readonly ((day: Day) => Promise<unknown>)[] = [
  ({ account, trucks, photos }) =>
    account.post({
      records: some(trucks).map((truck) => ({
        ...truck,
        price: 50_000 + roll(40) * 500,
        images: [pick(photos)],
      })),
    }),
  ({ account, trucks }) =>
    account.post({ ...pick(trucks), mileage: 100_000 + roll(50) * 1_000, status: 'available' }),
  ({ account }) => account.post({ records: cleanTrucks(3) }),
  ({ account, trucks }) => account.patch({ vin: pick(trucks).vin, status: pick(['sold', 'delisted']) }),
  ({ account, trucks }) =>
    account.patch({ records: some(trucks).map(({ vin }) => ({ vin, status: pick(['sold', 'available']) })) }),
  async ({ lot, trucks }) => {
    lot.file.serve(toCsv([...trucks.slice(0, 20), ...cleanTrucks(roll(4))]));
    await lot.run();
  },
  async ({ account, dealer }) => {
    await account.call('PATCH', '/v1/dealers', { slug: dealer, ...pick(PLACES) });
    // Moves are followed a minute later.
    await makeJobsDue(account.id);
    await runDue();
  },
  () => runDue(),
];

async function openDay(): Promise<Day> {
  const account = await service.newAccount();
  const dealer = `day-${account.id.slice(4, 16).toLowerCase()}`;
  await account.call('POST', '/v1/dealers', { slug: dealer, name: 'Day', ...PLACES[0] });
  const lot = await newLot(service, files, { dealer, misses_before_delist: 1 }, account);
  const photo = await jpeg(320, 200);
  const photos = [pictures.add(photo), pictures.add(404)];
  const trucks = cleanTrucks(40);
  await account.post({ records: trucks });
  return { account, dealer, lot, trucks, photos };
}

test('after a day of everything at once the poller, the exporter and the recounts agree', async () => {
  const day = await openDay();
  const { account } = day;
  const polled: Copy = new Map();
  let since = await readInto(polled, account, ALL);
  let working = true;
  const poll = async () => {
    while (working) since = await readInto(polled, account, `${ALL}&updated_since=${since}`);
  };
  const workers = [0, 1, 2].map(async () => {
    for (let round = 0; round < ROUNDS; round += 1) await pick(WORK)(day);
  });
  const polling = poll();
  await Promise.all(workers).finally(() => {
    working = false;
  });
  await polling;
  await runDue();
  await pictures.settled();
  await readInto(polled, account, `${ALL}&updated_since=${since}`);

  const exported: Copy = new Map();
  await readInto(exported, account, ALL);
  expect(polled).toEqual(exported);
  const [stored] = await queryRows<{ count: number }>(
    'select count(*)::int as count from listings where account_id = $1',
    [account.id],
  );
  expect(exported.size).toBe(stored?.count);
  expect(await searchFaults(account.id)).toEqual([]);
  expect(await marketFaults(service.ports.db)).toEqual([]);
});
