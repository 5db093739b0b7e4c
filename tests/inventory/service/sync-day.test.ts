import { afterAll, expect, test } from 'vitest';
import { marketFaults } from '../../support/oracles/market-recount.ts';
import { searchFaults } from '../../support/oracles/search-recount.ts';
import { jpeg } from '../../support/samples/pictures.ts';
import { cleanTrucks } from '../../support/samples/trucks.ts';
import { newLot, startFeedServer } from '../../support/servers/feed-server.ts';
import { startImageServer } from '../../support/servers/image-server.ts';
import { makeJobsDue, queryRows } from '../../support/service/database.ts';
import { CRON_SECRET, startService } from '../../support/service/service.ts';

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

const account = await service.newAccount();
const slug = `day-${account.id.slice(4, 16).toLowerCase()}`;
await account.call('POST', '/v1/dealers', { slug, name: 'Day', ...PLACES[0] });
const dealerFeed = await newLot(service, files, { dealer: slug, misses_before_delist: 1 }, account);
const photos = [pictures.add(await jpeg(320, 200)), pictures.add(404)];
const trucks = cleanTrucks(40);

type Copy = Map<string, unknown>;

/** Reads all pages of a search into the copy; returns what the next poll begins with. */
async function readInto(copy: Copy, query: string): Promise<string> {
  let syncedUntil: string | null = null;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = `/v1/inventory?facets=false&limit=40&${ALL}${query}${cursor && `&cursor=${cursor}`}`;
    const { status, body, text } = await account.call('GET', page);
    expect(status, text).toBe(200);
    for (const listing of body.listings) copy.set(listing.dedup_hash, listing);
    syncedUntil ??= body.synced_until;
    cursor = body.next_cursor;
  }
  return String(syncedUntil);
}

/** What one turn may do to the account's listings. */
const WORK: readonly (() => Promise<unknown>)[] = [
  () => {
    const change = { price: 50_000 + roll(40) * 500, images: [pick(photos)] };
    return account.post({ records: some(trucks).map((truck) => ({ ...truck, ...change })) });
  },
  () => account.post({ ...pick(trucks), mileage: 100_000 + roll(50) * 1_000, status: 'available' }),
  () => account.post({ records: cleanTrucks(3) }),
  () => account.patch({ vin: pick(trucks).vin, status: pick(['sold', 'delisted']) }),
  () =>
    account.patch({ records: some(trucks).map(({ vin }) => ({ vin, status: pick(['sold', 'available']) })) }),
  () => dealerFeed.pull([...trucks.slice(0, 20), ...cleanTrucks(roll(4))], {}),
  async () => {
    await account.call('PATCH', '/v1/dealers', { slug, ...pick(PLACES) });
    // Moves are followed a minute later.
    await makeJobsDue(account.id);
    await runDue();
  },
  runDue,
];

test('after a day of everything at once the poller, the exporter and the recounts agree', async () => {
  await account.post({ records: trucks });
  const polled: Copy = new Map();
  let since = await readInto(polled, '');
  let working = true;
  const poll = async () => {
    while (working) since = await readInto(polled, `&updated_since=${since}`);
  };
  const workers = [0, 1, 2].map(async () => {
    for (let round = 0; round < ROUNDS; round += 1) await pick(WORK)();
  });
  const polling = poll();
  await Promise.all(workers).finally(() => {
    working = false;
  });
  await polling;
  await runDue();
  await pictures.settled();
  await readInto(polled, `&updated_since=${since}`);

  const exported: Copy = new Map();
  await readInto(exported, '');
  expect(polled).toEqual(exported);
  const text = 'select count(*)::int as count from listings where account_id = $1';
  expect(await queryRows(text, [account.id])).toEqual([{ count: exported.size }]);
  expect(await searchFaults(account.id)).toEqual([]);
  expect(await marketFaults(service.ports.db)).toEqual([]);
});
