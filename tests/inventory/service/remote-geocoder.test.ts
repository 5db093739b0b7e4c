import { afterAll, expect, test } from 'vitest';
import type { Geocoder } from '../../../lib/outside/outbound.ts';
import { cleanTruck, cleanTrucks } from '../../support/samples/trucks.ts';
import { type GeocoderServer, startGeocoderServer } from '../../support/servers/geocoder-server.ts';
import { queryRows } from '../../support/service/database.ts';
import { startService } from '../../support/service/service.ts';
import { useStore } from '../../support/service/store.ts';

/** GEOCODER_URL: places that the gazetteer does not know are asked for over HTTP. */

const KELOWNA = { lat: '49.8879', lon: '-119.496' };
const remote: { server?: GeocoderServer; geocoder?: Geocoder } = {};
const log: Record<string, unknown>[] = [];
let skew = 0;

/** As another instance has it: nothing in memory yet. */
async function newInstance() {
  const { sql } = await useStore();
  remote.geocoder = server.instance(sql, { clock: { now: () => Date.now() + skew }, log });
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
/** Nothing is assumed of prices and miles in Canada. */
const UNITS = { currency: 'CAD', mileage_unit: 'mi' };
const post = async (sent: object & { records?: object[] }, headers?: Record<string, string>) => {
  const records = sent.records?.map((truck) => ({ ...truck, ...UNITS }));
  const body = records ? { ...sent, records } : { ...sent, ...UNITS };
  return (await account.call('POST', '/v1/inventory', body, headers)).body;
};
const readLocation = async (vin: string) => (await account.read(vin)).location;
const warned = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);

test('what the gazetteer knows is not asked', async () => {
  const before = server.asked.length;
  await post(cleanTruck({ zip: '79901' }));
  expect(server.asked.length).toBe(before);
});

test('an unknown place is asked for once, whoever names it, and another instance knows it too', async () => {
  server.reply = () => [KELOWNA];
  const place = uniquePlace();
  const trucks = [...cleanTrucks(5, place), cleanTruck({ ...place, city: place.city.toUpperCase() })];
  const before = server.asked.length;
  await post({ records: trucks });
  expect(server.asked.slice(before)).toEqual([`${place.city.toLowerCase()}, bc`]);
  expect(await readLocation(trucks[0]?.vin ?? '')).toEqual({
    ...place,
    zip: null,
    country: null,
    latitude: 49.8879,
    longitude: -119.496,
    source: 'geocoder',
  });
  await newInstance();
  const other = cleanTruck(place);
  await post(other);
  expect(await readLocation(other.vin)).toMatchObject({ latitude: 49.8879, source: 'geocoder' });
  expect(server.asked.length).toBe(before + 1);
});

test('a place nobody knows is no fault, and is not asked for again', async () => {
  server.reply = () => [];
  const place = uniquePlace();
  const before = server.asked.length;
  const truck = cleanTruck(place);
  expect(warned(await post(truck))).toEqual([]);
  expect(await readLocation(truck.vin)).toMatchObject({ latitude: null, source: 'none' });
  await newInstance();
  await post(cleanTruck(place));
  expect(server.asked.length).toBe(before + 1);
});

test('while it fails, records are stored with a warning, and the same post brings the place later', async () => {
  server.reply = () => 503;
  const truck = cleanTruck(uniquePlace());
  const first = await post(truck);
  expect([first.outcome, warned(first)]).toEqual(['created', ['LOCATION_LATER']]);
  expect(await readLocation(truck.vin)).toMatchObject({ latitude: null, source: 'none' });
  expect(warned(await post(truck))).toEqual(['LOCATION_LATER']);
  skew += 31_000;
  server.reply = () => ({ lat: 49.9, lon: -119.5 });
  expect((await post(truck)).outcome).toBe('merged');
  expect(await readLocation(truck.vin)).toMatchObject({ latitude: 49.9, source: 'geocoder' });
  expect((await post(truck)).stages.enrich).toBe('skipped');
});

test('a batch full of unknown places asks for a few at a time, and for the rest another time', async () => {
  server.reply = () => [KELOWNA];
  server.most = 0;
  const before = server.asked.length;
  const trucks = cleanTrucks(150).map((truck) => ({ ...truck, ...uniquePlace() }));
  const { summary, results } = await post({ records: trucks });
  expect(summary).toMatchObject({ received: 150, created: 150 });
  const asked = server.asked.length - before;
  expect(asked).toBeLessThanOrEqual(60);
  expect(server.most).toBeLessThanOrEqual(6);
  const later = results.filter((result: { warnings: { code: string }[] }) => warned(result).length > 0);
  expect(later.length).toBe(150 - asked);
  await post({ records: trucks });
  expect(new Set(server.asked.slice(before)).size).toBe(server.asked.length - before);
});

test('after a failure it is left alone for a while', async () => {
  await newInstance();
  server.reply = () => 500;
  await post(cleanTruck(uniquePlace()));
  const before = server.asked.length;
  const truck = cleanTruck(uniquePlace());
  expect(warned(await post(truck))).toEqual(['LOCATION_LATER']);
  expect(server.asked.length).toBe(before);
  expect(log.at(-1)).toMatchObject({ event: 'geocoder_failed' });
  skew += 31_000;
  server.reply = () => [KELOWNA];
  expect((await post(truck)).outcome).toBe('merged');
});

test('housekeeping forgets what is old', async () => {
  await queryRows(
    `insert into geocodes (place, latitude, longitude, at) values ('old, bc', null, null, now() - interval '31 days'),
      ('older, bc', 1, 1, now() - interval '2 years'), ('kept, bc', 1, 1, now() - interval '31 days')
     on conflict do nothing returning place`,
  );
  const { text } = await service.call('GET', '/api/cron/housekeeping', {
    token: 'test-cron-secret-0123456789',
  });
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
