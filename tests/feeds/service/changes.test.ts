import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { cleanTruck, cleanTrucks, type Truck } from '../../support/samples/trucks.ts';
import { type FeedLot, newLot, startFeedServer } from '../../support/servers/feed-server.ts';
import { startService } from '../../support/service/service.ts';

/** Which trucks a run of a feed changed, and which a held one would delist. */

const server = await startFeedServer();
const service = await startService(server.ports);
afterAll(() => server.close());

const read = async ({ account, feed }: FeedLot, run: { id: string }, kind: string) => {
  const changes: Record<string, unknown>[] = [];
  for (let cursor = ''; ; ) {
    const path = `/v1/feeds/${feed}/runs/${run.id}/changes?kind=${kind}&limit=7${cursor}`;
    const { body } = await account.call('GET', path);
    changes.push(...body.changes);
    if (body.next_cursor === null) return changes;
    cursor = `&cursor=${body.next_cursor}`;
  }
};
const release = async ({ account, feed }: FeedLot, run: { id: string }) =>
  (await account.call('POST', `/v1/feeds/${feed}/runs/${run.id}/release?wait=true`)).body;
const vins = (trucks: readonly Record<string, unknown>[]) => trucks.map(({ vin }) => vin).sort();
const KINDS = ['created', 'repriced', 'merged', 'delisted', 'would_delist'];

test('a run says which trucks came, were changed and repriced, and went; another run and the API change nothing of it', async () => {
  const lot = await newLot(service, server);
  const [gone, repriced, repainted, ...rest] = cleanTrucks(12, { price: 50_000 }) as [Truck, Truck, Truck];
  const first = await lot.pull([gone, repriced, repainted, ...rest]);
  const fresh = cleanTruck();
  const changed = [{ ...repriced, price: 49_000 }, { ...repainted, color: 'teal' }, ...rest, fresh];
  const second = await lot.pull(changed.map((one) => ({ color: '', ...one })));
  await lot.account.post({ ...fresh, price: 44_000, source_provider_id: 'dms' });
  await lot.pull(rest);
  const changes = await Promise.all(KINDS.map((kind) => read(lot, second, kind)));
  expect(changes.map(vins)).toEqual([
    [fresh.vin],
    [repriced.vin],
    vins([repriced, repainted]),
    [gone.vin],
    [],
  ]);
  const { make, year } = repriced;
  expect(changes[1]?.[0]).toMatchObject({ old_price: 50_000, new_price: 49_000, make, year });
  expect(vins(await read(lot, first, 'created'))).toEqual(vins([gone, repriced, repainted, ...rest]));
});

test('a held run shows the trucks it would delist, as many as it says, and after its release those are delisted', async () => {
  const lot = await newLot(service, server);
  const other = await newLot(service, server, {}, lot.account);
  const trucks = cleanTrucks(60);
  await lot.pull(trucks);
  await other.pull(trucks.slice(50, 52));
  const held = await lot.pull(trucks.slice(0, 20), { status: 'held' });
  const shown = await read(lot, held, 'would_delist');
  // The other feed has two of the forty.
  expect(vins(shown)).toEqual(vins([...trucks.slice(20, 50), ...trucks.slice(52)]));
  expect((await release(lot, held)).delisted).toBe(shown.length);
  expect(vins(await read(lot, held, 'delisted'))).toEqual(vins(shown));
  expect(await read(lot, held, 'would_delist')).toEqual([]);
});

test('of the two sample files of the docs the second is held because of 21 trucks, which a release delists', async () => {
  // As a web server answers two files of one release.
  const headers = { 'last-modified': new Date(Date.now() - 86_400_000).toUTCString() };
  const sample = (name: string) =>
    readFile(new URL(`../../../public/samples/${name}.csv`, import.meta.url), 'utf8');
  const lot = await newLot(service, server);
  await lot.pull(await sample('lot-full'), { status: 'succeeded', created: 24, rejected: 0 }, headers);
  const short = server.file();
  short.serve(await sample('lot-short'), headers);
  await lot.account.call('PATCH', `/v1/feeds/${lot.feed}`, { url: short.url });
  const held = await lot.run();
  expect(held).toMatchObject({ status: 'held', would_delist: 21, delisted: 0 });
  expect(await read(lot, held, 'would_delist')).toHaveLength(21);
  expect(await release(lot, held)).toMatchObject({ status: 'succeeded', delisted: 21 });
});
