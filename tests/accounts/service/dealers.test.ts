import { describe, expect, test } from 'vitest';
import { dealerMoves } from '../../../lib/inventory/follow-moved-dealers.ts';
import { drain } from '../../../lib/jobs/drain.ts';
import { searchFaults } from '../../support/oracles/search-recount.ts';
import { NO_DETAILS } from '../../support/samples/leads.ts';
import { uniqueSlug } from '../../support/samples/samples.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { makeJobsDue, queryRows } from '../../support/service/database.ts';
import { startService } from '../../support/service/service.ts';

const fetches: Promise<unknown>[] = [];
const service = await startService(() => ({ background: { run: (work) => void fetches.push(work) } }));
const account = await service.newAccount();

const post = (body: unknown, as = account) => as.call('POST', '/v1/dealers', body);
const patch = (body: unknown) => account.call('PATCH', '/v1/dealers', body);

const FULL = {
  name: 'Lone Star Trucks',
  phone: '+1 210 555 0142',
  email: 'sales@lonestar.example',
  website: 'https://lonestar.example',
  address: '4100 Interstate 35 N',
  city: 'San Antonio',
  state: 'TX',
  zip: '78219',
};

const WEBHOOK = 'https://crm.dealer.example/leads';

test('dry_run answers what a dealer would become, stores nothing, calls nothing and shows no secret', async () => {
  const slug = uniqueSlug();
  const dry = (method: string, change: object) =>
    account.call(method, '/v1/dealers?dry_run=true', { slug, lead_webhook_url: WEBHOOK, ...change });
  expect((await dry('PATCH', { city: 'Waco' })).status).toBe(404);
  const created = await dry('POST', { name: 'A' });
  expect([created.status, created.body]).toMatchObject([200, { slug, name: 'A', dry_run: true }]);
  expect(created.body).not.toHaveProperty('lead_webhook_secret');
  expect((await post({ slug, name: 'B' })).status).toBe(201);
  fetches.length = 0;
  const response = await dry('PATCH', { name: 'C' });
  expect(response.body).toMatchObject({ name: 'C', lead_webhook_url: WEBHOOK, dry_run: true });
  expect(fetches).toEqual([]);
  expect((await patch({ slug })).body).toMatchObject({ name: 'B', lead_webhook_url: null });
  await patch({ slug, lead_webhook_url: WEBHOOK });
  expect(fetches, 'the webhook is called').not.toEqual([]);
});

test('the secret of a webhook is shown when it is made or rotated, and never again', async () => {
  const slug = uniqueSlug();
  const secrets: string[] = [];
  for (const [change, isShown] of [
    [{ lead_email: 'leads@dealer.example' }, false],
    [{ rotate_lead_webhook_secret: true }, false],
    [{ lead_webhook_url: WEBHOOK }, true],
    [{ lead_webhook_url: `${WEBHOOK}/2` }, false],
    [{ rotate_lead_webhook_secret: true }, true],
    [{ lead_webhook_url: null }, false],
    [{ lead_webhook_url: WEBHOOK }, true],
  ] as const) {
    const { body, text } = await post({ slug, name: 'A', ...change });
    expect(/^whsec_[A-Za-z0-9+/]{32}$/.test(body.lead_webhook_secret), text).toBe(isShown);
    if (isShown) secrets.push(body.lead_webhook_secret);
  }
  expect(new Set(secrets).size).toBe(3);
  expect((await account.call('GET', '/v1/dealers?limit=200')).text).not.toContain('whsec_');
});

test('a dealer is created with 201 and everything it was sent, the rest is null', async () => {
  const slug = `${uniqueSlug()}-${'a'.repeat(64)}`.slice(0, 64);
  const { status, body } = await post({ slug, name: ' Small ', unknown: 1 });
  expect(status).toBe(201);
  expect(body).toEqual({
    slug,
    name: 'Small',
    ...NO_DETAILS,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    warnings: [expect.objectContaining({ code: 'UNKNOWN_FIELD', field: 'unknown' })],
  });
});

test.each(['POST', 'PATCH'])(
  '%s of one’s own slug changes what is sent, null clears, the rest stays',
  async (method) => {
    const slug = uniqueSlug();
    expect(await post({ slug, ...FULL })).toMatchObject({ status: 201, body: { slug, ...FULL } });
    const change = { name: 'Renamed', city: 'Austin', phone: null };
    const response = await account.call(method, '/v1/dealers', { slug, ...change });
    expect(response).toMatchObject({ status: 200, body: { ...FULL, ...change } });
  },
);

const HOURS = {
  mon: [
    { opens: '07:30', closes: '12:00' },
    { opens: '13:00', closes: '24:00' },
  ],
  closed_on: ['2026-12-25'],
};

test('hours stand with the time zone of the dealer’s place, which a move derives anew', async () => {
  const slug = uniqueSlug();
  const own = { ...FULL, sms: '+1 210 555 0143', reply_minutes: 10, hours: HOURS };
  const created = await post({ slug, ...own });
  expect(created.body).toMatchObject({ ...own, time_zone: 'America/Chicago' });
  const zone = async (change: object) => (await patch({ slug, ...change })).body.time_zone;
  expect(await zone({ city: 'El Paso', zip: '79901' })).toBe('America/Denver');
  expect(await zone({ time_zone: 'America/Chicago' })).toBe('America/Chicago');
  expect(await zone({ hours: { sat: [] } })).toBe('America/Chicago');
  expect(await zone({ time_zone: null })).toBe('America/Denver');
  expect(await zone({ city: null, zip: null })).toBe('America/Denver');
  const none = { hours: null, sms: null, time_zone: null, reply_minutes: null };
  const cleared = await patch({ slug, ...none });
  expect(cleared.body).toMatchObject(none);
  expect((await account.call('GET', `/v1/dealers/${slug}`)).body).toEqual(cleared.body);
});

const listCases = (field: string, values: readonly unknown[]): [string, object][] =>
  values.map((value) => [field, { [field]: value }]);

const REFUSED: [field: string, change: object][] = [
  ['time_zone', { hours: HOURS }],
  ['time_zone', { hours: HOURS, time_zone: 'Central' }],
  ['hours.mon', { hours: { mon: HOURS.mon.toReversed() } }],
  ['hours.closed_on.0', { hours: { closed_on: ['2026-02-30'] } }],
  ['hours', { hours: { monday: [] } }],
  ['reply_minutes', { reply_minutes: 0 }],
  ...listCases('website', ['ftp://a.example', 'https://a.example/a b']),
  ...listCases('name', [null, '  ', 7]),
  ...listCases('slug', [undefined, null, '', 'Upper', '-a', 'a--b', 'a/b', 'a'.repeat(65), 'a\n']),
];

test.each(REFUSED)('refused as INVALID_PAYLOAD, naming %s: %j', async (field, change) => {
  const dealer = { slug: uniqueSlug(), name: 'Nowhere' };
  if (field !== 'slug') await post(dealer);
  for (const save of [post, patch])
    expect((await save({ ...dealer, ...change })).body.error).toMatchObject({
      code: 'INVALID_PAYLOAD',
      details: { field: expect.stringContaining(field) },
    });
});

test('a dealer is read and removed by its slug, but not while a truck is its', async () => {
  const own = await service.newAccount();
  const slug = uniqueSlug();
  const path = `/v1/dealers/${slug}`;
  const truck = cleanTruck();
  await own.post(truck);
  const { warnings, ...dealer } = (await post({ slug, ...FULL }, own)).body;
  expect(warnings).toMatchObject([{ code: 'DEALER_NOT_ASSIGNED' }]);
  expect((await own.call('GET', path)).body).toEqual(dealer);
  await own.post(truck);
  const remove = (query = '') => own.call('DELETE', path + query);
  const inUse = { error: { details: { reason: 'in_use' } } };
  expect(await remove()).toMatchObject({ status: 400, body: inUse });
  await own.call('DELETE', `/v1/inventory/${truck.vin}`);
  for (const query of ['?dry_run=true', '']) expect((await remove(query)).status).toBe(204);
  for (const method of ['GET', 'DELETE']) expect((await own.call(method, path)).status).toBe(404);
});

test('an account has so many dealers and no more; those it has can be changed, and are listed in pages that miss and repeat nothing', async () => {
  const own = await service.newAccount({ tier: 'starter' });
  await queryRows(
    `insert into dealers (account_id, slug, name) select $1, 'lot-' || n, 'Lot' from generate_series(1, 199) as n`,
    [own.id],
  );
  const last = { slug: 'last', name: 'Last' };
  expect((await post(last, own)).status).toBe(201);
  const response = await post({ ...last, slug: 'surplus' }, own);
  expect(response.body.error).toMatchObject({
    code: 'INVALID_PAYLOAD',
    details: { reason: 'too_many_dealers' },
  });
  expect((await post({ ...last, name: 'Renamed' }, own)).status).toBe(200);
  const list = async (cursor = '') => (await own.call('GET', `/v1/dealers?limit=150${cursor}`)).body;
  const first = await list();
  const rest = await list(`&cursor=${first.next_cursor}`);
  const slugs = [...first.dealers, ...rest.dealers].map(({ slug }) => slug);
  expect([new Set(slugs).size, slugs.length, rest.next_cursor]).toEqual([200, 200, null]);
});

test('a state or ZIP that cannot be read is stored, with a warning', async () => {
  const [slug, odd] = [uniqueSlug(), { state: 'Texsa', zip: '7' }];
  const { body } = await post({ slug, name: 'Odd', ...odd });
  expect(body).toMatchObject({ ...odd, warnings: [{ field: 'state' }, { field: 'zip' }] });
});

const SAN_ANTONIO = { city: 'San Antonio', state: 'Texas', zip: '78219' };

async function dealership(place: object = SAN_ANTONIO) {
  const own = await service.newAccount();
  const slug = uniqueSlug();
  await post({ slug, name: 'Lone Star', ...place }, own);
  const find = async (filter: string) =>
    (await own.call('GET', `/v1/inventory?${filter}`)).body.listings.map(({ vin }: { vin: string }) => vin);
  return {
    own,
    slug,
    find,
    send: async (truck: object) => (await own.post(truck)).body.outcome,
    readPlace: async (vin?: string) => (await own.read(vin)).location,
    patch: (change: object) => own.call('PATCH', '/v1/dealers', { slug, ...change }),
  };
}

describe('a listing that names no place stands where its dealer is', () => {
  test('it is found there, says where the place is from, and derives nothing else; its own place wins until it is cleared', async () => {
    const { own, find, send, readPlace } = await dealership();
    const truck = cleanTruck();
    expect(await send(truck)).toBe('created');
    const listing = await own.read(truck.vin);
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
    expect(await find('state=TX')).toEqual([truck.vin]);
    await send({ ...truck, zip: '79901' });
    expect(await readPlace(truck.vin)).toMatchObject({ zip: '79901', source: 'zip' });
    await send({ ...truck, location: null, zip: null });
    expect(await readPlace(truck.vin)).toMatchObject({ zip: '78219', source: 'dealer' });
  });

  test('a dealer who tells a place only later, and a change of anything else', async () => {
    const { send, readPlace, patch } = await dealership({});
    const truck = cleanTruck();
    await send(truck);
    expect(await readPlace(truck.vin)).toBeNull();
    await patch({ phone: '+1 210 555 0199' });
    expect(await send(truck)).toBe('unchanged');
    await patch(SAN_ANTONIO);
    expect(await send(truck)).toBe('merged');
    expect(await readPlace(truck.vin)).toMatchObject({ city: 'San Antonio', source: 'dealer' });
  });

  test('of several dealers the listing’s own counts, in a batch, too', async () => {
    const { own, slug, send, readPlace } = await dealership();
    const other = uniqueSlug();
    await post({ slug: other, name: 'Other', zip: '79901' }, own);
    const trucks = [cleanTruck({ dealer: slug }), cleanTruck({ dealer: other }), cleanTruck()];
    await own.post({ records: trucks });
    const zips = await Promise.all(trucks.map(async ({ vin }) => (await readPlace(vin))?.zip));
    expect(zips).toEqual(['78219', '79901', undefined]);
    const silent = { ...trucks[1], dealer: undefined, price: 61_000 };
    expect(await send(silent)).toBe('merged');
    expect(await readPlace(trucks[1]?.vin)).toMatchObject({ zip: '79901' });
  });

  test('trucks follow a dealer that moved, without being posted again: in search, facets and for pollers', async () => {
    const { own, find, send, readPlace, patch } = await dealership();
    const [follower, placed] = [cleanTruck(), cleanTruck({ zip: '79901' })];
    await own.post({ records: [follower, placed] });
    const { body } = await own.call('GET', '/v1/inventory?limit=1');
    await patch({ city: 'Tulsa', state: 'OK', zip: '74103' });
    const follow = () => drain(service.ports, dealerMoves, { accountId: own.id });
    expect(await follow(), 'within a minute').toEqual({});
    await makeJobsDue(own.id);
    expect(await follow()).toEqual({ trucks_moved: 1 });
    expect(await find('state=OK')).toEqual([follower.vin]);
    expect(await find('state=TX')).toEqual([placed.vin]);
    const place = { city: 'Tulsa', source: 'dealer', latitude: expect.closeTo(36.15, 0) };
    expect(await readPlace(follower.vin)).toMatchObject(place);
    expect(await find(`updated_since=${body.synced_until}`)).toContain(follower.vin);
    expect(await searchFaults(own.id)).toEqual([]);
    expect(await send(follower), 'a repeat changes nothing').toBe('unchanged');
    expect(await follow()).toEqual({});
  });
});
