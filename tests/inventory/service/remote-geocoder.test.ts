import { afterAll, expect, test } from 'vitest';
import type { Geocoder } from '../../../lib/outside/outbound.ts';
import { cleanTruck, type Truck } from '../../support/samples/trucks.ts';
import { type GeocoderServer, startGeocoderServer } from '../../support/servers/geocoder-server.ts';
import { queryRows } from '../../support/service/database.ts';
import { CRON_SECRET, startService } from '../../support/service/service.ts';
import { useStore } from '../../support/service/store.ts';

/** GEOCODER_URL: places that the gazetteer does not know are asked for over HTTP. */

const KELOWNA = { lat: '49.8879', lon: '-119.496' };
const remote: { server?: GeocoderServer; geocoder?: Geocoder } = {};
/** It stands still, so that no busy machine uses up a batch's budget. */
let now = Date.now();

/** As another instance has it: nothing in memory yet. */
async function newInstance() {
  const { sql } = await useStore();
  remote.geocoder = server.instance(sql, { clock: { now: () => now }, log: [] });
}

const server = await startGeocoderServer();
await newInstance();
const service = await startService((ports) => ({
  geocoder: { locate: (places) => (remote.geocoder ?? ports.geocoder).locate(places) },
}));
const account = await service.newAccount();
afterAll(() => server.close());

let serial = 0;
/** A place that nobody has asked for yet. */
const uniquePlace = () => ({ city: `Newtown ${process.pid} ${Date.now()} ${++serial}`, state: 'BC' });
/** A truck of which nothing is assumed of price and miles in Canada. */
const truckAt = (place: object) => cleanTruck({ ...place, currency: 'CAD', mileage_unit: 'mi' });
/** What became of a post: its outcome, its warnings, and where the truck is. */
async function post(truck: Truck) {
  const { outcome, warnings } = (await account.post(truck)).body;
  const { latitude, source } = (await account.read(truck.vin)).location;
  return [outcome, warnings.map(({ code }: Warned) => code).join(), latitude, source];
}
type Warned = { code: string };
/** What the geocoder is asked since now. */
function recordAsked() {
  const before = server.asked.length;
  return () => server.asked.slice(before);
}
const LATER = ['LOCATION_PENDING', null, 'none'];
const FOUND = ['', 49.8879, 'geocoder'];

test.each([
  ['unknown', [KELOWNA], FOUND],
  ['that nobody knows, which is no fault,', [], ['', null, 'none']],
])(
  'a place %s is asked for once, whoever names it, and another instance knows it too',
  async (_, reply, location) => {
    server.reply = () => reply;
    const place = uniquePlace();
    const requests = recordAsked();
    const records = [place, { ...place, city: place.city.toUpperCase() }, { zip: '79901' }].map(truckAt);
    await account.post({ records });
    await newInstance();
    expect(await post(truckAt(place))).toEqual(['created', ...location]);
    expect(requests()).toEqual([`${place.city.toLowerCase()}, bc`]);
  },
);

test('after a failure the geocoder rests: records are stored with a warning, and the same post brings the place later', async () => {
  server.reply = () => 503;
  const truck = truckAt(uniquePlace());
  expect(await post(truck)).toEqual(['created', ...LATER]);
  const requests = recordAsked();
  expect((await post(truck)).slice(1)).toEqual(LATER);
  expect(requests()).toEqual([]);
  now += 31_000;
  server.reply = () => KELOWNA;
  expect(await post(truck)).toEqual(['merged', ...FOUND]);
  expect(await post(truck)).toEqual(['unchanged', ...FOUND]);
});

test('a batch of unknown places asks for a few at a time, and for the rest later', async () => {
  server.reply = () => [KELOWNA];
  server.most = 0;
  const requests = recordAsked();
  const records = Array.from({ length: 150 }, () => truckAt(uniquePlace()));
  const { summary, results } = (await account.post({ records })).body;
  expect([summary.created, requests().length <= 60, server.most <= 6]).toEqual([150, true, true]);
  const later = results.filter(({ warnings }: { warnings: Warned[] }) => warnings.length > 0);
  expect(later.length).toBe(150 - requests().length);
  await account.post({ records });
  expect(new Set(requests()).size).toBe(requests().length);
});

test('housekeeping deletes old answers of the geocoder', async () => {
  await queryRows(
    `insert into geocodes (place, latitude, longitude, at) values ('old, bc', null, null, now() - interval '31 days'),
      ('older, bc', 1, 1, now() - interval '2 years'), ('kept, bc', 1, 1, now() - interval '31 days')
     on conflict do nothing returning place`,
  );
  const { text } = await service.call('GET', '/api/cron/housekeeping', { token: CRON_SECRET });
  expect(text).toContain('geocodes_swept');
  const left = await queryRows<{ place: string }>(
    `select place from geocodes where place in ('old, bc', 'older, bc', 'kept, bc')`,
  );
  expect(left).toEqual([{ place: 'kept, bc' }]);
});

test('a search near a place that cannot be asked for now is not refused as wrong', async () => {
  await newInstance();
  server.reply = () => 503;
  const { city, state } = uniquePlace();
  const near = encodeURIComponent(`${city}, ${state}`);
  const answer = await account.call('GET', `/v1/inventory?near=${near}`);
  expect([answer.status, answer.body.error.details.retryable], answer.text).toEqual([500, true]);
});
