import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { cleanTrucks } from '../../support/samples/trucks.ts';
import { startService } from '../../support/service/service.ts';

const service = await startService();

describe('pages of an export', () => {
  test('have up to 1,000 listings and count nothing', async () => {
    const seller = await service.newAccount();
    for (let batch = 0; batch < 3; batch++) await seller.post({ records: cleanTrucks(400) });
    const read = async (cursor = '') =>
      (await seller.call('GET', `/v1/inventory?facets=false&limit=1000&fields=vin${cursor}`)).body;
    const first = await read();
    expect(first).toEqual({
      listings: expect.any(Array),
      understood: { filters: {}, words: [] },
      synced_until: expect.any(String),
      next_cursor: expect.any(String),
    });
    const rest = await read(`&cursor=${first.next_cursor}`);
    expect([first.listings.length, rest.listings.length]).toEqual([1_000, 200]);
    expect(new Set([...first.listings, ...rest.listings].map(({ vin }) => vin)).size).toBe(1_200);
  });

  test('are one file as CSV, without formulas', async () => {
    const seller = await service.newAccount();
    await seller.post({ records: cleanTrucks(3, { stock_number: '=1+1' }) });
    const { status, headers, text } = await seller.call('GET', '/v1/inventory?format=csv&make=freightliner');
    expect([status, headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="inventory.csv"',
    ]);
    const [head, ...rows] = text.trim().split('\r\n');
    expect(head).toMatch(/^\uFEFF?vin,stock_number,status,/);
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row).toMatch(/^\w{17},'=1\+1,available,/);
  });

  test('show all photos of a first import, before the database knows how many there are', async () => {
    const seller = await service.newAccount();
    const images = Array.from({ length: 100 }, (_, photo) => `https://photos.example/${photo}.jpg`);
    await seller.post({ records: cleanTrucks(20, { images }) });
    for (const withFacets of [true, false]) {
      const { body } = await seller.call('GET', `/v1/inventory?facets=${withFacets}&limit=100`);
      expect(body.listings.map((listing: { images: [] }) => listing.images.length)).toEqual(
        Array(20).fill(100),
      );
    }
  });

  test('end before 4 MB, and the next page continues', async () => {
    const seller = await service.newAccount();
    const change = { description: 'y'.repeat(9_000), attributes: { notes: 'é'.repeat(7_500) } };
    for (let batch = 0; batch < 4; batch++) await seller.post({ records: cleanTrucks(100, change) });
    const vins = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor && `&cursor=${cursor}`;
      const page = await seller.call('GET', `/v1/inventory?facets=false&limit=1000${from}`);
      expect(page.bytes.length).toBeLessThan(4_000_000);
      for (const { vin } of page.body.listings) vins.add(vin);
      cursor = page.body.next_cursor;
    }
    expect(vins.size).toBe(400);
  });
});

test('the longest search has a next page', async () => {
  const seller = await service.newAccount();
  const description = 'Diff lock, locking diff, wet kit, rail gate, sleeper cab, red';
  await seller.post({ records: cleanTrucks(2, { make: 'Kenworth', model: 'T680', description }) });
  const strange = () => Array.from({ length: 45 }, () => randomBytes(30).toString('base64url')).join();
  const params = new URLSearchParams({
    q: 'diff lock diff locks locking diff diff lock wet kit rail gate red',
    make: `Kenworth,${strange()}`,
    model: `T680,${strange()}`,
    limit: '1',
  });
  const read = () => seller.call('GET', `/v1/inventory?${params}`);
  const first = await read();
  params.set('cursor', first.body.next_cursor);
  const second = await read();
  expect([first.body.listings?.length, second.body.listings?.length], second.text).toEqual([1, 1]);
});
