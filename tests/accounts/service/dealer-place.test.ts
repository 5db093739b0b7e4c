import { expect, test } from 'vitest';
import { dealerMoves } from '../../../lib/inventory/follow-moved-dealers.ts';
import { workOff } from '../../../lib/jobs/work-off.ts';
import { searchFaults } from '../../support/oracles/search-recount.ts';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { makeJobsDue } from '../../support/service/database.ts';
import { startService, type TestAccount } from '../../support/service/service.ts';

/** A listing that names no place stands where its dealer is. */

const service = await startService();

const SAN_ANTONIO = { city: 'San Antonio', state: 'Texas', zip: '78219' };

async function dealership(place: object = SAN_ANTONIO) {
  const account = await service.newAccount();
  const slug = uniqueSlug();
  await account.call('POST', '/v1/dealers', { slug, name: 'Lone Star', ...place });
  return { account, slug };
}

const post = async (account: TestAccount, truck: object) => (await account.post(truck)).body.outcome;
const readPlace = async (account: TestAccount, vin?: string) => (await account.read(vin)).location;
const find = async (account: TestAccount, filter: string) =>
  (await account.call('GET', `/v1/inventory?${filter}`)).body.listings.map(({ vin }: { vin: string }) => vin);
const foundIn = (account: TestAccount, state: string) => find(account, `state=${state}`);

test('it is found there, says where the place is from, and derives nothing else; its own place wins until it is cleared', async () => {
  const { account } = await dealership();
  const truck = cleanTruck();
  expect(await post(account, truck)).toBe('created');
  const listing = await account.read(truck.vin);
  expect(listing).toMatchObject({
    location: {
      city: 'San Antonio',
      state: 'TX',
      zip: '78219',
      source: 'dealer',
      latitude: expect.closeTo(29.45, 0),
    },
    origins: { make: 'record', city: 'dealer', latitude: 'dealer' },
    quality: { missing: expect.not.arrayContaining(['location']) },
    derived: expect.not.arrayContaining(['city']),
  });
  expect(await foundIn(account, 'TX')).toEqual([truck.vin]);
  await post(account, { ...truck, zip: '79901' });
  expect(await readPlace(account, truck.vin)).toMatchObject({ zip: '79901', source: 'zip' });
  await post(account, { ...truck, location: null, zip: null });
  expect(await readPlace(account, truck.vin)).toMatchObject({ zip: '78219', source: 'dealer' });
});

test('a dealer who tells a place only later, and a change of anything else', async () => {
  const { account, slug } = await dealership({});
  const truck = cleanTruck();
  await post(account, truck);
  expect(await readPlace(account, truck.vin)).toBeNull();
  await account.call('PATCH', '/v1/dealers', { slug, phone: '+1 210 555 0199' });
  expect(await post(account, truck)).toBe('unchanged');
  await account.call('PATCH', '/v1/dealers', { slug, ...SAN_ANTONIO });
  expect(await post(account, truck)).toBe('merged');
  expect(await readPlace(account, truck.vin)).toMatchObject({ city: 'San Antonio', source: 'dealer' });
});

test('of several dealers the listing’s own counts, in a batch, too', async () => {
  const { account, slug } = await dealership();
  const other = uniqueSlug();
  await account.call('POST', '/v1/dealers', { slug: other, name: 'Other', zip: '79901' });
  const trucks = [cleanTruck({ dealer: slug }), cleanTruck({ dealer: other }), cleanTruck()];
  await account.post({ records: trucks });
  const zips = await Promise.all(trucks.map(async ({ vin }) => (await readPlace(account, vin))?.zip));
  expect(zips).toEqual(['78219', '79901', undefined]);
  const silent = { ...trucks[1], dealer: undefined, price: 61_000 };
  expect(await post(account, silent)).toBe('merged');
  expect(await readPlace(account, trucks[1]?.vin)).toMatchObject({ zip: '79901' });
});

test('trucks follow a dealer that moved, without being posted again: in search, facets and for pollers', async () => {
  const { account, slug } = await dealership();
  const [follower, own] = [cleanTruck(), cleanTruck({ zip: '79901' })];
  await account.post({ records: [follower, own] });
  const { body } = await account.call('GET', '/v1/inventory?limit=1');
  await account.call('PATCH', '/v1/dealers', { slug, city: 'Tulsa', state: 'OK', zip: '74103' });
  const follow = () => workOff(service.ports, dealerMoves, { accountId: account.id });
  expect(await follow(), 'within a minute').toEqual({});
  await makeJobsDue(account.id);
  expect(await follow()).toEqual({ trucks_moved: 1 });
  expect(await foundIn(account, 'OK')).toEqual([follower.vin]);
  expect(await foundIn(account, 'TX')).toEqual([own.vin]);
  const moved = { city: 'Tulsa', source: 'dealer', latitude: expect.closeTo(36.15, 0) };
  expect(await readPlace(account, follower.vin)).toMatchObject(moved);
  expect(await find(account, `updated_since=${body.synced_until}`)).toContain(follower.vin);
  expect(await searchFaults(account.id)).toEqual([]);
  expect(await post(account, follower), 'a repeat changes nothing').toBe('unchanged');
  expect(await follow()).toEqual({});
});
