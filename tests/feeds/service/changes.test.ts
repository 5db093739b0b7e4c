import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { cleanTruck, cleanTrucks, type Truck } from '../../support/samples/trucks.ts';
import { type FeedLot, newLot, startFeedServer } from '../../support/servers/feed-server.ts';
import { startService } from '../../support/service/service.ts';

/** Which trucks a run of a feed changed, and which a held one would delist. */

const server = await startFeedServer();
const service = await startService(server.ports);
afterAll(() => server.close());

const readChanges = async ({ account, feed }: FeedLot, run: { id: string }, kind: string) => {
  const changes: Record<string, unknown>[] = [];
  for (let cursor = ''; ; ) {
    const path = `/v1/feeds/${feed}/runs/${run.id}/changes?kind=${kind}&limit=7${cursor}`;
    const { body } = await account.call('GET', path);
    changes.push(...body.changes);
    if (body.next_cursor === null) return changes;
    cursor = `&cursor=${body.next_cursor}`;
  }
};
const vins = (trucks: readonly Record<string, unknown>[]) => trucks.map(({ vin }) => vin).sort();
const KINDS = ['created', 'repriced', 'merged', 'delisted', 'would_delist'];

test('a run says which trucks came, were changed and repriced, and went; another run and the API change nothing of it', async () => {
  const dealerFeed = await newLot(service, server);
  const [absent, repriced, repainted, ...rest] = cleanTrucks(12, { price: 50_000 }) as [Truck, Truck, Truck];
  const first = await dealerFeed.pull([absent, repriced, repainted, ...rest]);
  const newTruck = cleanTruck();
  const nextTrucks = [{ ...repriced, price: 49_000 }, { ...repainted, color: 'teal' }, ...rest, newTruck];
  const second = await dealerFeed.pull(nextTrucks.map((one) => ({ color: '', ...one })));
  await dealerFeed.account.post({ ...newTruck, price: 44_000, source_provider_id: 'dms' });
  await dealerFeed.pull(rest);
  const changes = await Promise.all(KINDS.map((kind) => readChanges(dealerFeed, second, kind)));
  expect(changes.map(vins)).toEqual([
    [newTruck.vin],
    [repriced.vin],
    vins([repriced, repainted]),
    [absent.vin],
    [],
  ]);
  expect(changes[1]?.[0]).toMatchObject({ old_price: 50_000, new_price: 49_000, make: repriced.make });
  expect(vins(await readChanges(dealerFeed, first, 'created'))).toEqual(
    vins([absent, repriced, repainted, ...rest]),
  );
});

test('of the two sample files of the docs the second is held, shows the 21 trucks that it would delist, and a release delists those', async () => {
  // As a web server answers two files of one release.
  const headers = { 'last-modified': new Date(Date.now() - 86_400_000).toUTCString() };
  const sample = (name: string) =>
    readFile(new URL(`../../../public/samples/${name}.csv`, import.meta.url), 'utf8');
  const dealerFeed = await newLot(service, server);
  const first = await dealerFeed.pull(
    await sample('lot-full'),
    { status: 'succeeded', created: 24, rejected: 0 },
    headers,
  );
  const second = await sample('lot-short');
  const short = server.file();
  short.serve(second, headers);
  await dealerFeed.account.call('PATCH', `/v1/feeds/${dealerFeed.feed}`, { url: short.url });
  const heldRun = await dealerFeed.run();
  expect(heldRun).toMatchObject({ status: 'held', would_delist: 21, delisted: 0 });
  const absentVins = vins(await readChanges(dealerFeed, first, 'created')).filter(
    (vin) => !second.includes(String(vin)),
  );
  expect(vins(await readChanges(dealerFeed, heldRun, 'would_delist'))).toEqual(absentVins);
  const path = `/v1/feeds/${dealerFeed.feed}/runs/${heldRun.id}/release?wait=true`;
  const released = { status: 'succeeded', delisted: 21 };
  expect((await dealerFeed.account.call('POST', path)).body).toMatchObject(released);
  expect(vins(await readChanges(dealerFeed, heldRun, 'delisted'))).toEqual(absentVins);
  expect(await readChanges(dealerFeed, heldRun, 'would_delist')).toEqual([]);
});
