import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { startService } from '../../support/service/service.ts';

const service = await startService();

describe('pages of an export', () => {
  test('have up to 1,000 listings and count nothing', async () => {
    const seller = await service.newAccount();
    for (let batch = 0; batch < 3; batch++)
      await seller.post({ records: Array.from({ length: 400 }, () => cleanTruck()) });
    const first = await seller.call('GET', '/v1/inventory?facets=false&limit=1000&fields=vin');
    expect(first.body).toEqual({
      listings: expect.any(Array),
      understood: { filters: {}, words: [] },
      synced_until: expect.any(String),
      next_cursor: expect.any(String),
    });
    const { next_cursor } = first.body;
    const rest = await seller.call(
      'GET',
      `/v1/inventory?facets=false&limit=1000&fields=vin&cursor=${next_cursor}`,
    );
    const vins = [...first.body.listings, ...rest.body.listings].map(({ vin }) => vin);
    expect([first.body.listings.length, rest.body.listings.length, new Set(vins).size]).toEqual([
      1000, 200, 1200,
    ]);
  });

  test('have a truck that changes meanwhile in its place, in the order of years', async () => {
    const seller = await service.newAccount();
    const trucks = Array.from({ length: 9 }, () => cleanTruck());
    await seller.post({ records: trucks });
    let price = 60_000;
    const walk = async (sort: string) => {
      const vins: string[] = [];
      for (let cursor = ''; ; ) {
        const page = `/v1/inventory?facets=false&limit=3&fields=vin&sort=${sort}${cursor && `&cursor=${cursor}`}`;
        const { body } = await seller.call('GET', page);
        vins.push(...body.listings.map(({ vin }: { vin: string }) => vin));
        if (body.next_cursor === null) return vins.sort();
        cursor = body.next_cursor;
        const unread = trucks.filter(({ vin }) => !vins.includes(vin));
        price += 1_000;
        for (const truck of unread) await seller.post({ ...truck, price });
      }
    };
    expect(await walk('year')).toEqual(trucks.map(({ vin }) => vin).sort());
    expect(await walk('newest')).toHaveLength(3);
  });

  test('show all photos of a first import, before the database knows how many there are', async () => {
    const seller = await service.newAccount();
    const records = Array.from({ length: 20 }, () => cleanTruck()).map((truck) => ({
      ...truck,
      images: Array.from({ length: 100 }, (_, photo) => `https://photos.example/${truck.vin}/${photo}.jpg`),
    }));
    await seller.post({ records });
    for (const counted of [true, false]) {
      const { status, body } = await seller.call('GET', `/v1/inventory?facets=${counted}&limit=100`);
      expect([status, body.listings?.map(({ images }: { images: [] }) => images.length)]).toEqual([
        200,
        records.map(({ images }) => images.length),
      ]);
    }
  });

  test('end before 4 MB, and the next goes on', async () => {
    const seller = await service.newAccount();
    const attributes = { remarks: 'x'.repeat(15_000), notes: 'é'.repeat(200) };
    for (let batch = 0; batch < 4; batch++)
      await seller.post({
        records: Array.from({ length: 100 }, () => ({
          ...cleanTruck(),
          attributes,
          description: 'y'.repeat(9_000),
        })),
      });
    const vins = new Set<string>();
    for (let cursor = ''; ; ) {
      const page = await seller.call('GET', `/v1/inventory?facets=false&limit=1000${cursor}`);
      expect(page.bytes.length).toBeLessThan(4_000_000);
      for (const { vin } of page.body.listings) vins.add(vin);
      if (page.body.next_cursor === null) break;
      cursor = `&cursor=${page.body.next_cursor}`;
    }
    expect(vins.size).toBe(400);
  });
});

test('the longest search has a next page', async () => {
  const seller = await service.newAccount();
  const description = 'Diff lock, locking diff, wet kit, rail gate, sleeper cab, red';
  await seller.post({
    records: Array.from({ length: 2 }, () => cleanTruck({ make: 'Kenworth', model: 'T680', description })),
  });
  const strange = () =>
    Array.from({ length: 45 }, () => randomBytes(24).toString('base64url').slice(0, 40)).join();
  const params = new URLSearchParams({
    q: 'diff lock diff locks locking diff diff lock wet kit rail gate red',
    make: `Kenworth,${strange()}`,
    model: `T680,${strange()}`,
    limit: '1',
  });
  const first = await seller.call('GET', `/v1/inventory?${params}`);
  params.set('cursor', first.body.next_cursor);
  const second = await seller.call('GET', `/v1/inventory?${params}`);
  expect([first.body.listings?.length, second.body.listings?.length], second.text).toEqual([1, 1]);
});
