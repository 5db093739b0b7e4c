import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { photos } from '../../../lib/images/fetch-photos.ts';
import { workOff } from '../../../lib/jobs/work-off.ts';
import { Unavailable } from '../../../lib/outside/faults.ts';
import { hugePng, jpeg, png, sidewaysJpeg, uniqueJpeg } from '../../support/samples/pictures.ts';
import { startImageServer } from '../../support/servers/image-server.ts';
import { queryRows } from '../../support/service/database.ts';
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
const row = async (url: string) => {
  const [found] = await queryRows<{ status: string; reason: string | null; attempts: number; due: number }>(
    `select coalesce(s.status, 'pending') as status, s.reason, j.tries as attempts,
       extract(epoch from j.due_at - now())::float8 as due
     from listings l left join image_sources s on s.account_id = $1 and s.url = $2
       left join jobs j on j.account_id = $1 and j.kind = 'photos' and j.key = encode(l.dedup_hash, 'hex')
     where l.account_id = $1 and l.images::jsonb ? $2`,
    [account.id, url],
  );
  return found;
};
/** Makes a retry due at once. */
const makeDue = (url: string) =>
  queryRows(
    `update jobs set due_at = now() where account_id = $1 and key in (
       select encode(dedup_hash, 'hex') from listings where account_id = $1 and images::jsonb ? $2)`,
    [account.id, url],
  );
const drain = async () => {
  await server.settled();
  await workOff(service.ports, photos);
  await server.settled();
};

describe('after the answer', () => {
  test('images are fetched, stored in three widths, and shown in the listing in the dealer’s order', async () => {
    const photo = await jpeg(1_500, 1_000);
    const urls = [server.add(photo), server.add(await png(400, 300)), server.add(404)];
    const truck = goodTruck({ images: urls });
    const answer = await post(truck);
    expect(answer.status, answer.text).toBe(201);
    await server.settled();
    const images = await readImages(truck.vin);
    const hash = createHash('sha256').update(photo).digest('hex');
    expect(images).toEqual([
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
      expect.objectContaining({ url: urls[1], status: 'stored', width: 400, height: 300 }),
      {
        url: urls[2],
        status: 'failed',
        reason: 'http_404',
        width: null,
        height: null,
        placeholder: null,
        renditions: [],
        original: null,
      },
    ]);
  });

  test('beyond the bytes that the tier allows none is fetched, and each says why; others’ are', async () => {
    const starter = await service.newAccount({ tier: 'starter', limit_multiplier: 1 });
    const photo = await uniqueJpeg('room');
    const truck = goodTruck({ images: [server.add(photo)] });
    await post(truck, '?wait=images', starter);
    const { body } = await starter.call('GET', '/v1/account');
    expect(body.usage.photo_bytes).toBeGreaterThan(photo.length);
    await queryRows(
      `insert into stored_images select (jsonb_populate_record(null::stored_images,
         to_jsonb(i) || jsonb_build_object('hash', '\\x0' || n, 'bytes', 2000000000))).* 
       from stored_images i, generate_series(1, 3) n where account_id = $1 returning 1 as one`,
      [starter.id],
    );
    const refused = server.add(photo);
    const waited = await post({ ...truck, images: [refused] }, '?wait=images', starter);
    expect(waited.body.warnings.map(({ code }: { code: string }) => code)).toContain('IMAGE_FAILED');
    const queued = server.add(photo);
    const stranger = server.add(photo);
    await post({ records: [{ ...truck, images: [queued] }] }, '', starter);
    await post({ records: [goodTruck({ images: [stranger] })] });
    await server.settled();
    const full = { status: 'failed', reason: 'account_full' };
    expect(await readImages(truck.vin, starter)).toMatchObject([{ url: queued, ...full }]);
    expect([refused, queued, stranger].map(server.hits)).toEqual([0, 0, 1]);
  });

  test('a batch does not wait for them, however slow they are', async () => {
    const answered = Promise.withResolvers<void>();
    const slow = server.add((response) => void answered.promise.then(() => response.writeHead(404).end()));
    const answer = await post({ records: [goodTruck({ images: [slow] })] });
    expect(answer.body.summary.created).toBe(1);
    expect((await row(slow))?.status).toBe('pending');
    answered.resolve();
    await server.settled();
    expect((await row(slow))?.status).toBe('failed');
  });

  test('an image several trucks name is fetched once, also within one batch', async () => {
    const url = server.add(await jpeg());
    const trucks = [1, 2, 3].map(() => goodTruck({ images: [url] }));
    await post({ records: trucks });
    await server.settled();
    await post(goodTruck({ images: [url] }));
    await server.settled();
    expect(server.hits(url)).toBe(1);
    for (const { vin } of trucks) expect((await readImages(vin))[0].status).toBe('stored');
  });

  test('another account fetches for itself, and sees nothing of what is known elsewhere', async () => {
    const url = server.add(await jpeg());
    await post(goodTruck({ images: [url] }));
    await server.settled();
    const other = await service.newAccount();
    const truck = goodTruck({ images: [url] });
    await post(truck, '', other);
    await server.settled();
    expect(server.hits(url)).toBe(2);
    expect((await readImages(truck.vin, other))[0].status).toBe('stored');
  });

  test('a merge loses nothing that was fetched; the same post again is unchanged and fetches nothing', async () => {
    const urls = [server.add(await jpeg()), server.add(await jpeg()), server.add(await jpeg())];
    const truck = goodTruck({ images: urls.slice(0, 2) });
    await post(truck);
    await server.settled();
    const before = await readImages(truck.vin);
    expect((await post(truck)).body.outcome).toBe('unchanged');
    expect((await post({ ...truck, price: 51_000, images: undefined })).body.outcome).toBe('merged');
    expect(await readImages(truck.vin)).toEqual(before);
    await post({ ...truck, images: [urls[2], urls[0]] });
    await server.settled();
    const after = await readImages(truck.vin);
    expect(after.map(({ url }: { url: string }) => url)).toEqual([urls[2], urls[0]]);
    expect(after[1]).toEqual(before[0]);
    expect(urls.map((url) => server.hits(url))).toEqual([1, 1, 1]);
    await post({ ...truck, images: null });
    expect(await readImages(truck.vin)).toEqual([]);
  });

  test('a dry run queues nothing', async () => {
    const url = server.add(await jpeg());
    await post(goodTruck({ images: [url] }), '?dry_run=true');
    await post(goodTruck({ images: [url] }), '?dry_run=true&wait=images');
    await server.settled();
    expect([await row(url), server.hits(url)]).toEqual([undefined, 0]);
  });
});

describe('what cannot be had', () => {
  test.each<[string, () => Promise<Buffer | number> | Buffer | number]>([
    ['http_404', () => 404],
    ['http_410', () => 410],
    ['http_403', () => 403],
    ['not_an_image', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['not_an_image', () => Buffer.from('GIF89a\x01\0\x01\0', 'latin1')],
    ['not_an_image', () => Buffer.from('<html>Not found</html>')],
    ['not_an_image', () => Buffer.alloc(0)],
    ['unreadable', async () => (await jpeg(300, 200)).subarray(0, 2_000)],
    ['too_many_pixels', () => hugePng(16_000, 16_000)],
    ['too_large', () => Buffer.alloc(15 * 1024 * 1024 + 1, 0xff)],
  ])('%s is final at once', async (reason, make) => {
    const url = server.add(await make());
    const truck = goodTruck({ images: [url] });
    await post(truck);
    await server.settled();
    expect((await readImages(truck.vin))[0]).toMatchObject({ status: 'failed', reason });
    await drain();
    expect(server.hits(url)).toBe(1);
  });

  test('an address that is not public is refused, and never asked', async () => {
    const urls = [
      'http://127.0.0.1:1/a.jpg',
      'http://169.254.169.254/latest/meta-data/',
      'http://[::1]/a.png',
    ];
    const truck = goodTruck({ images: urls });
    await post(truck);
    await server.settled();
    const images = await readImages(truck.vin);
    expect(images.map(({ reason }: { reason: string }) => reason)).toEqual([
      'url_refused',
      'address_refused',
      'address_refused',
    ]);
  });

  test('a failure that may pass is tried again later, with growing pauses, and fails for good in the end', async () => {
    const url = server.add(503);
    const truck = goodTruck({ images: [url] });
    await post(truck);
    await server.settled();
    const pauses: number[] = [];
    for (let tries = 1; tries <= 6; tries += 1) {
      const now = await row(url);
      expect(now).toMatchObject({ status: 'pending', reason: 'http_503', attempts: tries });
      pauses.push(now?.due ?? 0);
      expect((await readImages(truck.vin))[0]).toMatchObject({ status: 'pending', reason: 'http_503' });
      await drain();
      expect(server.hits(url)).toBe(tries);
      await makeDue(url);
      await drain();
    }
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect(await row(url)).toMatchObject({ status: 'failed', reason: 'http_503' });
  });

  test('Retry-After is kept to', async () => {
    const url = server.add((response) => response.writeHead(429, { 'retry-after': '900' }).end());
    await post(goodTruck({ images: [url] }));
    await server.settled();
    expect((await row(url))?.due).toBeGreaterThan(800);
  });

  test('a fault of our own counts against no image: it is tried again when the store is back', async () => {
    const url = server.add(await uniqueJpeg('our fault'));
    storeDown = true;
    await post(goodTruck({ images: [url] }));
    await server.settled();
    storeDown = false;
    expect(await row(url)).toMatchObject({ status: 'pending', attempts: 0 });
    await makeDue(url);
    await drain();
    expect(await row(url)).toMatchObject({ status: 'stored' });
  });

  test('images known to be dead are a warning with the reason, and count neither for quality nor as images', async () => {
    const url = server.add(404);
    const truck = goodTruck({ images: [url] });
    await post(truck);
    await server.settled();
    const merged = await post({ ...truck, price: 51_500 });
    expect(merged.body.warnings).toContainEqual({
      code: 'IMAGE_FAILED',
      field: 'images',
      message: expect.stringMatching(/http_404/),
    });
    expect(merged.body.quality.missing).toContain('images');
    const [found] = await queryRows(
      'select has_images from listing_search where account_id = $1 and vin = $2',
      [account.id, truck.vin],
    );
    expect(found).toEqual({ has_images: false });
  });

  test('a dead image named anew after a day is fetched again, before that it is not', async () => {
    const url = server.add(404, await jpeg());
    await post(goodTruck({ images: [url] }));
    await server.settled();
    await post(goodTruck({ images: [url] }));
    await server.settled();
    expect(server.hits(url)).toBe(1);
    await queryRows(
      `update image_sources set updated_at = now() - interval '25 hours' where url = $1 returning url`,
      [url],
    );
    const truck = goodTruck({ images: [url] });
    await post(truck);
    await server.settled();
    expect((await readImages(truck.vin))[0].status).toBe('stored');
  });
});

describe('wait=images', () => {
  test('answers when the images are there, under an Idempotency-Key too', async () => {
    for (const headers of [undefined, { 'idempotency-key': `wait-${Date.now()}` }]) {
      const urls = [server.add(await jpeg()), server.add(await png())];
      const truck = goodTruck({ images: urls });
      const answer = await account.call('POST', '/v1/inventory?wait=images', truck, headers);
      expect(answer.status, answer.text).toBe(201);
      const images = await readImages(truck.vin);
      expect(images.map(({ status }: { status: string }) => status)).toEqual(['stored', 'stored']);
      await server.settled();
      expect(urls.map((url) => server.hits(url))).toEqual([1, 1]);
    }
  });

  test('one that lasts rejects the record as ENRICH_FAILED, retryable, and nothing of it is stored', async () => {
    const url = server.add(503, await jpeg());
    const truck = goodTruck({ images: [server.add(await jpeg()), url] });
    const refused = await post(truck, '?wait=images');
    expect([refused.status, refused.body.error.code]).toEqual([422, 'PIPELINE_FAILED']);
    expect(refused.body.error.details).toMatchObject({
      stages: { enrich: 'ENRICH_FAILED' },
      field: 'images',
      received: url,
      retryable: true,
    });
    expect((await account.call('GET', `/v1/inventory/${truck.vin}`)).status).toBe(404);
    const again = await post(truck, '?wait=images');
    expect(again.status, again.text).toBe(201);
    expect((await readImages(truck.vin)).map(({ status }: { status: string }) => status)).toEqual([
      'stored',
      'stored',
    ]);
  });

  test('a truck that is stored already stays as it was when its new image fails', async () => {
    const truck = goodTruck({ images: [server.add(await jpeg())] });
    await post(truck, '?wait=images');
    const before = (await account.call('GET', `/v1/inventory/${truck.vin}`)).text;
    expect((await post({ ...truck, price: 52_000, images: [server.add(500)] }, '?wait=images')).status).toBe(
      422,
    );
    expect((await account.call('GET', `/v1/inventory/${truck.vin}`)).text).toBe(before);
  });

  test('a record that is refused has no image fetched', async () => {
    const url = server.add(await jpeg());
    expect((await post(goodTruck({ images: [url], year: 1950 }), '?wait=images')).status).toBe(422);
    expect(server.hits(url)).toBe(0);
  });

  test('the store being down is ENRICH_FAILED too, not a 500', async () => {
    storeDown = true;
    const refused = await post(goodTruck({ images: [server.add(await uniqueJpeg('down'))] }), '?wait=images');
    storeDown = false;
    expect([refused.status, refused.body.error.details.stages.enrich]).toEqual([422, 'ENRICH_FAILED']);
  });

  test('is for a single record: a batch and any other value are INVALID_PARAMS', async () => {
    for (const [query, body] of [
      ['?wait=images', { records: [] }],
      ['?wait=all', goodTruck()],
    ] as const)
      expect((await post(body, query)).body.error.code).toBe('INVALID_PARAMS');
  });
});

describe('GET /media', () => {
  const stored = async () => {
    const bytes = await uniqueJpeg(String(Math.random()), 700, 500);
    const truck = goodTruck({ images: [server.add(bytes)] });
    await post(truck, '?wait=images');
    return (await readImages(truck.vin))[0];
  };

  test('serves original and renditions to anybody, with the type by content, for good', async () => {
    const image = await stored();
    const original = await service.call('GET', image.original);
    expect(original.status).toBe(200);
    const { format, width, height } = await sharp(original.bytes).metadata();
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 700, height: 500 });
    expect(Object.fromEntries(original.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(original.bytes.byteLength),
      'cache-control': 'public, max-age=31536000, s-maxage=2592000, immutable',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'content-security-policy': "default-src 'none'; sandbox",
      etag: expect.stringMatching(/^"[\w.-]+"$/),
    });
    for (const { url } of image.renditions) {
      const rendition = await service.call('GET', url);
      expect([rendition.status, rendition.headers.get('content-type')]).toEqual([200, 'image/webp']);
      expect(Buffer.from(rendition.bytes).subarray(8, 12).toString()).toBe('WEBP');
    }
  });

  test('no variant of a photo says where, when or by whom it was taken', async () => {
    const truck = goodTruck({ images: [server.add(await sidewaysJpeg(64, 48))] });
    await post(truck, '?wait=images');
    const [image] = await readImages(truck.vin);
    for (const path of [image.original, ...image.renditions.map(({ url }: { url: string }) => url)]) {
      const { bytes } = await service.call('GET', path);
      expect(Buffer.from(bytes).toString('latin1'), path).not.toMatch(/secret-of-the-owner|Exif/);
    }
  });

  test('answers 304 to who has it, and HEAD without a body', async () => {
    const image = await stored();
    const full = await service.call('GET', image.original);
    const headers = { 'if-none-match': full.headers.get('etag') ?? '' };
    expect((await service.call('GET', image.original, { headers })).status).toBe(304);
    const head = await service.call('HEAD', image.original);
    expect([head.status, head.bytes.length, head.headers.get('content-length')]).toEqual([
      200,
      0,
      full.headers.get('content-length'),
    ]);
  });

  test('whatever else is asked for is NOT_FOUND in the envelope, and not cached', async () => {
    const image = await stored();
    const hash = image.original.split('/')[2];
    const paths = [
      `/media/${'0'.repeat(64)}/640.webp`,
      `/media/${hash}/641.webp`,
      `/media/${hash}/original.png`,
      `/media/${hash}/0640.webp`,
      `/media/${hash}/original.svg`,
      `/media/${hash}/original.jpg%00.webp`,
      `/media/${hash.toUpperCase()}/640.webp`,
      `/media/${hash.slice(1)}/640.webp`,
      `/media/${hash}/..%2f640.webp`,
      '/media/..%2f..%2fsecrets/640.webp',
      `/media/${hash}/640.webp%0a`,
      `/media/${hash}/-1.webp`,
    ];
    for (const path of paths) {
      const answer = await service.call('GET', path);
      expect([answer.status, answer.body?.error.code], path).toEqual([404, 'NOT_FOUND']);
      expect(answer.headers.get('cache-control'), path).toBe('no-store');
    }
  });
});

test('a listing counts as changed once its images are settled, whoever queued them', async () => {
  const photo = await jpeg(640, 480);
  const polled = Promise.withResolvers<void>();
  const shared = server.add((response) => void polled.promise.then(() => response.end(photo)));
  const [first, second, other] = [
    goodTruck({ images: [shared] }),
    goodTruck({ images: [shared] }),
    goodTruck(),
  ];
  await post({ records: [first, second, other] });
  const search = async (query: string) => (await account.call('GET', `/v1/inventory?${query}`)).body;
  let since = '';
  const changedSince = async () => (await search(`fields=vin&updated_since=${since}`)).listings;
  // Until then another database's transactions on this server hold back what is synced.
  await expect
    .poll(
      async () => {
        since = (await search('limit=1')).synced_until;
        return changedSince();
      },
      { timeout: 60_000 },
    )
    .toEqual([]);
  polled.resolve();
  await drain();
  const vins = (await changedSince()).map(({ vin }: { vin: string }) => vin);
  expect(vins).toEqual(expect.arrayContaining([first.vin, second.vin]));
  expect(vins).not.toContain(other.vin);
});
