import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { photos } from '../../../lib/images/fetch-photos.ts';
import { drain } from '../../../lib/jobs/drain.ts';
import { Unavailable } from '../../../lib/outside/faults.ts';
import { hugePng, jpeg, png, sidewaysJpeg, uniqueJpeg } from '../../support/samples/pictures.ts';
import { startImageServer } from '../../support/servers/image-server.ts';
import { makeJobsDue, queryRows } from '../../support/service/database.ts';
import { goodTruck, startService } from '../../support/service/service.ts';

/** The object store fails while this is true. */
let storeDown = false;

const server = await startImageServer();
const service = await startService((base) => ({
  ...server.ports(base),
  objects: {
    ...base.objects,
    async put(...put) {
      if (storeDown) throw new Unavailable('the store is down');
      return base.objects.put(...put);
    },
  },
}));
const account = await service.newAccount();
afterAll(async () => {
  await server.settled();
  await server.close();
});

const post = (body: unknown, query = '', by = account) => by.call('POST', `/v1/inventory${query}`, body);
const readImages = async (vin: unknown, by = account) => (await by.read(vin)).images;
/** The images of a truck that was posted, once they are settled. */
async function fetched(images: string[], by = account) {
  const truck = goodTruck({ images });
  const answer = await post(truck, '', by);
  expect(answer.status, answer.text).toBe(201);
  await server.settled();
  return readImages(truck.vin, by);
}
const row = async (url: string) => {
  const [job] = await queryRows<{ status: string; reason: string | null; attempts: number; due: number }>(
    `select coalesce(s.status, 'pending') as status, s.reason, j.tries as attempts,
       extract(epoch from j.due_at - now())::float8 as due
     from listings l left join image_sources s on s.account_id = $1 and s.url = $2
       left join jobs j on j.account_id = $1 and j.kind = 'photos' and j.key = encode(l.dedup_hash, 'hex')
     where l.account_id = $1 and l.images::jsonb ? $2`,
    [account.id, url],
  );
  return job;
};
/** Tries again at once what is due later. */
async function retry() {
  await makeJobsDue(account.id);
  await drain(service.ports, photos);
  await server.settled();
}

describe('after the answer', () => {
  test('images are fetched, stored in three widths, and shown in the listing in the dealer’s order', async () => {
    const photo = await jpeg(1_500, 1_000);
    const urls = [server.add(photo), server.add(await png(400, 300)), server.add(404)];
    const hash = createHash('sha256').update(photo).digest('hex');
    const none = { width: null, height: null, placeholder: null, renditions: [], original: null };
    expect(await fetched(urls)).toEqual([
      {
        url: urls[0],
        status: 'stored',
        reason: null,
        width: 1_500,
        height: 1_000,
        placeholder: expect.stringMatching(/^data:image\/webp;base64,/),
        renditions: [
          { width: 320, height: 213, url: `/media/${hash}/320.webp` },
          { width: 640, height: 427, url: `/media/${hash}/640.webp` },
          { width: 1_280, height: 853, url: `/media/${hash}/1280.webp` },
        ],
        original: `/media/${hash}/original.jpg`,
      },
      expect.objectContaining({ url: urls[1], status: 'stored', width: 400 }),
      { url: urls[2], status: 'failed', reason: 'http_404', ...none },
    ]);
  });

  test('beyond the bytes that the tier allows none is fetched, and each says why; others’ are', async () => {
    const starter = await service.newAccount({ tier: 'starter', limit_multiplier: 1 });
    const photo = await uniqueJpeg('room');
    const truck = goodTruck({ images: [server.add(photo)] });
    await post(truck, '', starter);
    await server.settled();
    const { body } = await starter.call('GET', '/v1/account');
    expect(body.usage.photo_bytes).toBeGreaterThan(photo.length);
    await queryRows(
      `insert into stored_images select (jsonb_populate_record(null::stored_images,
         to_jsonb(i) || jsonb_build_object('hash', '\\x0' || n, 'bytes', 2000000000))).* 
       from stored_images i, generate_series(1, 3) n where account_id = $1 returning 1 as one`,
      [starter.id],
    );
    const [failingUrl, stranger] = [server.add(photo), server.add(photo)];
    expect(await fetched([failingUrl], starter)).toMatchObject([
      { status: 'failed', reason: 'account_full' },
    ]);
    await fetched([stranger]);
    expect([failingUrl, stranger].map(server.hits)).toEqual([0, 1]);
  });

  test('an account fetches once for all of its trucks, another for itself, as if nothing were known elsewhere', async () => {
    const url = server.add(await jpeg());
    const other = await service.newAccount();
    for (const by of [account, account, other])
      expect(await fetched([url], by)).toMatchObject([{ status: 'stored' }]);
    expect(server.hits(url)).toBe(2);
  });

  test('a merge loses nothing that was fetched; the same post again is unchanged and fetches nothing', async () => {
    const urls = await Promise.all([1, 2, 3].map(async () => server.add(await jpeg())));
    const truck = goodTruck({ images: urls.slice(0, 2) });
    await post(truck);
    await server.settled();
    const before = await readImages(truck.vin);
    expect((await post(truck)).body.outcome).toBe('unchanged');
    expect((await post({ ...truck, price: 51_000, images: undefined })).body.outcome).toBe('merged');
    expect(await readImages(truck.vin)).toEqual(before);
    await post({ ...truck, images: [urls[2], urls[0]] });
    await server.settled();
    expect(await readImages(truck.vin)).toMatchObject([{ url: urls[2] }, before[0]]);
    expect(urls.map((url) => server.hits(url))).toEqual([1, 1, 1]);
    await post({ ...truck, images: null });
    expect(await readImages(truck.vin)).toEqual([]);
  });

  test('a dry run queues nothing', async () => {
    const url = server.add(await jpeg());
    await post(goodTruck({ images: [url] }), '?dry_run=true');
    await post({ records: [goodTruck({ images: [url] })] }, '?dry_run=true');
    await server.settled();
    expect([await row(url), server.hits(url)]).toEqual([undefined, 0]);
  });
});

describe('what cannot be had', () => {
  test.each<[string, Promise<Buffer> | Buffer | number]>([
    ['http_404', 404],
    ['not_an_image', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['not_an_image', Buffer.from('GIF89a\xff\xd8\xff', 'latin1')],
    ['not_an_image', Buffer.from('<script>\x89PNG\r\n\x1a\n', 'latin1')],
    ['unreadable', jpeg(300, 200).then((bytes) => bytes.subarray(0, 2_000))],
    ['too_many_pixels', hugePng(16_000, 16_000)],
    ['too_large', Buffer.alloc(15 * 1024 * 1024 + 1, 0xff)],
  ])('%s is final at once', async (reason, reply) => {
    const url = server.add(await reply);
    expect(await fetched([url])).toMatchObject([{ status: 'failed', reason }]);
    await retry();
    expect(server.hits(url)).toBe(1);
  });

  test('an address that is not public is refused, and never asked', async () => {
    const url = 'http://169.254.169.254/latest/meta-data/';
    expect(await fetched([url])).toMatchObject([{ reason: 'address_refused' }]);
  });

  test('a failure that may pass is tried again later, with growing pauses, and fails for good in the end', async () => {
    const url = server.add(503);
    const truck = goodTruck({ images: [url] });
    await post(truck);
    await server.settled();
    let pause = 0;
    for (let tries = 1; tries <= 6; tries += 1) {
      const { due = 0, ...now } = (await row(url)) ?? {};
      expect(now).toEqual({ status: 'pending', reason: 'http_503', attempts: tries });
      expect(due).toBeGreaterThanOrEqual(pause);
      pause = due;
      expect(server.hits(url)).toBe(tries);
      await retry();
    }
    expect(await readImages(truck.vin)).toMatchObject([{ status: 'failed', reason: 'http_503' }]);
  });

  test('Retry-After is kept to', async () => {
    const url = server.add((response) => response.writeHead(429, { 'retry-after': '900' }).end());
    await fetched([url]);
    expect((await row(url))?.due).toBeGreaterThan(800);
  });

  test('a fault of our own counts against no image: it is tried again when the store is back', async () => {
    const url = server.add(await uniqueJpeg('our fault'));
    storeDown = true;
    await fetched([url]);
    storeDown = false;
    expect(await row(url)).toMatchObject({ status: 'pending', attempts: 0 });
    await retry();
    expect(await row(url)).toMatchObject({ status: 'stored' });
  });

  test('a dead image named anew after a day is fetched again, before that it is not', async () => {
    const url = server.add(404, await jpeg());
    await fetched([url]);
    await fetched([url]);
    expect(server.hits(url)).toBe(1);
    await queryRows(
      `update image_sources set updated_at = now() - interval '25 hours' where url = $1 returning url`,
      [url],
    );
    expect(await fetched([url])).toMatchObject([{ status: 'stored' }]);
  });
});

describe('GET /media', () => {
  test('serves original and renditions to anybody, for good, without where, when or by whom they were taken', async () => {
    const [image] = await fetched([server.add(await sidewaysJpeg(500, 700))]);
    const renditions: string[] = image.renditions.map(({ url }: { url: string }) => url);
    for (const path of [image.original, ...renditions]) {
      const { status, headers, bytes } = await service.call('GET', path);
      const format = renditions.includes(path) ? 'webp' : 'jpeg';
      expect(await sharp(bytes).metadata(), path).toMatchObject({ format });
      expect(Buffer.from(bytes).toString('latin1'), path).not.toMatch(/secret-of-the-owner|Exif/);
      expect([status, Object.fromEntries(headers)]).toMatchObject([
        200,
        {
          'content-type': `image/${format}`,
          'content-length': String(bytes.byteLength),
          'cache-control': 'public, max-age=31536000, s-maxage=2592000, immutable',
          'x-content-type-options': 'nosniff',
          'access-control-allow-origin': '*',
          'content-security-policy': "default-src 'none'; sandbox",
        },
      ]);
    }
  });

  test('whatever else is asked for is NOT_FOUND in the envelope, and not cached', async () => {
    const [image] = await fetched([server.add(await jpeg())]);
    const [, , hash = ''] = image.original.split('/');
    for (const path of [
      ...['641.webp', 'original.png', '0640.webp', 'original.jpg%00.webp', '..%2f640.webp'].map(
        (name) => `${hash}/${name}`,
      ),
      `${'0'.repeat(64)}/640.webp`,
      `${hash.toUpperCase()}/640.webp`,
      '..%2f..%2fsecrets/640.webp',
    ]) {
      const { status, body, headers } = await service.call('GET', `/media/${path}`);
      const outcome = [status, body?.error.code, headers.get('cache-control')];
      expect(outcome, path).toEqual([404, 'NOT_FOUND', 'no-store']);
    }
  });
});

test('a batch does not wait for images; its listings count as changed once they are settled, whoever queued them', async () => {
  const photo = await jpeg(640, 480);
  const polled = Promise.withResolvers<void>();
  const shared = server.add((response) => void polled.promise.then(() => response.end(photo)));
  const [first, second, other] = [[shared], [shared], []].map((images) => goodTruck({ images }));
  await post({ records: [first, second, other] });
  expect((await row(shared))?.status).toBe('pending');
  const search = async (query: string) => (await account.call('GET', `/v1/inventory?${query}`)).body;
  let since = '';
  const changedSince = async () => (await search(`fields=vin&updated_since=${since}`)).listings;
  async function pollAgain() {
    since = (await search('limit=1')).synced_until;
    return changedSince();
  }
  // Until then another database's transactions on this server hold back what is synced.
  await expect.poll(pollAgain, { timeout: 60_000 }).toEqual([]);
  polled.resolve();
  await retry();
  const listings = await changedSince();
  expect(listings).toEqual(expect.arrayContaining([{ vin: first?.vin }, { vin: second?.vin }]));
  expect(listings).not.toContainEqual({ vin: other?.vin });
});
