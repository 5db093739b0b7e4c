import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { lazily } from '../../../lib/adapters/lazily.ts';
import { postgresImages } from '../../../lib/adapters/postgres/images/images.ts';
import type { ImageJob, StoredImage } from '../../../lib/ports/images.ts';
import { OutboundFailure } from '../../../lib/ports/outbound.ts';
import type { Ports } from '../../../lib/ports/ports.ts';
import type { Leases } from '../../../lib/ports/store.ts';
import { fetchDueImages } from '../../../lib/services/images/fetch-due-images.ts';
import * as fc from '../../support/oracles/fast-check.ts';
import { uniqueJpeg } from '../../support/samples/pictures.ts';
import { idleImageWorkers, startImageServer } from '../../support/servers/image-server.ts';
import { queryRows } from '../../support/service/database.ts';
import { goodTruck, startService } from '../../support/service/service.ts';
import { useStore } from '../../support/service/store.ts';

let leases: Leases;

const server = await startImageServer();
// Nothing is fetched behind the tests' back, nor by what an earlier suite left running.
await idleImageWorkers();
const service = await startService((base) => {
  leases = base.leases;
  return { ...server.ports(base), leases: { ...base.leases, acquire: async () => null } };
});
const account = await service.newAccount();
const images = service.ports.images;
afterAll(() => server.close());
/** The queue is one for all accounts: what other suites left in it is put out of the way. */
beforeEach(() =>
  queryRows(
    `update image_sources set due_at = now() + interval '9 hours' where status = 'pending' returning url`,
  ),
);

const STORED: StoredImage = {
  hash: 'ab'.repeat(32),
  width: 4,
  height: 3,
  original: '/media/x/original.jpg',
  placeholder: 'data:',
  bytes: 1,
  renditions: [],
};

async function queue(count: number): Promise<string[]> {
  const urls = await Promise.all(
    Array.from({ length: count }, async (_, n) => server.add(await uniqueJpeg(`${Math.random()}-${n}`))),
  );
  const posted = await account.post({ records: [goodTruck({ images: urls })] });
  expect(posted.body.summary.created).toBe(1);
  return urls;
}
const expire = (urls: readonly string[]) =>
  queryRows('update image_sources set due_at = now() where url = any($1::text[]) returning url', [urls]);
const statuses = async (urls: readonly string[]) => {
  const rows = await queryRows<{ url: string; status: string; reason: string | null }>(
    'select url, status, reason from image_sources where url = any($1::text[])',
    [urls],
  );
  const known = new Map(rows.map(({ url, status, reason }) => [url, reason ?? status]));
  return urls.map((url) => known.get(url));
};
/** Another process, with a queue of its own over the same database. */
async function worker(change: Partial<Ports> = {}): Promise<Ports> {
  const { sql } = await useStore();
  return { ...service.ports, leases, images: postgresImages(sql), ...change };
}

/** An image whose holder slept through its lease, and who holds it now. */
async function oversleep() {
  const urls = await queue(1);
  const [sleeper] = await images.claim(1, 60, 'sound');
  await expire(urls);
  const [holder] = await images.claim(1, 60, 'suspects');
  if (!sleeper || !holder) throw new Error('no claim');
  return { urls, sleeper, holder };
}

describe('a claim', () => {
  test('gives every image to one holder, the longest due first, until its lease is over', async () => {
    const urls = await queue(6);
    await queryRows(
      `update image_sources set due_at = now() - interval '1 hour' where url = $1 returning url`,
      [urls[4]],
    );
    const first = await images.claim(1, 60, 'sound');
    expect(first.map(({ url }) => url)).toEqual([urls[4]]);
    const claims = await Promise.all([1, 2, 3, 4].map(() => images.claim(2, 60, 'sound')));
    const claimed = claims.flat().map(({ url }) => url);
    expect(new Set([...claimed, urls[4]])).toEqual(new Set(urls));
    expect(claimed).toHaveLength(5);
    expect(await images.claim(9, 60, 'sound')).toEqual([]);
    expect(await images.claim(9, 60, 'suspects')).toEqual([]);
    await expire(urls);
    expect(await images.claim(9, 60, 'sound')).toEqual([]);
    expect(await images.claim(9, 60, 'suspects')).toHaveLength(6);
  });

  test('a holder who slept through its lease changes nothing any more: store, fail and retry', async () => {
    const { urls, sleeper, holder } = await oversleep();
    expect(holder.fence).toBeGreaterThan(sleeper.fence);
    expect(await images.store(sleeper, STORED)).toBe(false);
    expect(await images.fail(sleeper, 'late')).toBe(false);
    expect(await images.retry(sleeper, 'late', 1, true)).toBe(false);
    expect(await statuses(urls)).toEqual(['pending']);
    expect(await images.fail(holder, 'verdict')).toBe(true);
    for (const late of [sleeper, holder]) expect(await images.store(late, STORED)).toBe(false);
    expect(await statuses(urls)).toEqual(['verdict']);
  });

  test('planted fault: without the fence a sleeper would overwrite the verdict', async () => {
    const { sleeper, holder } = await oversleep();
    expect(await images.store({ ...sleeper, fence: holder.fence }, STORED)).toBe(true);
  });

  test('an account’s verdict never touches another account’s image of the same URL', async () => {
    const [url = ''] = await queue(1);
    const other = await service.newAccount();
    await other.post(goodTruck({ images: [url] }));
    const jobs = await images.claim(2, 60, 'sound');
    const mine = jobs.find(({ accountId }) => accountId === account.id);
    expect(jobs).toHaveLength(2);
    if (mine) await images.fail(mine, 'mine');
    const rows = await queryRows(
      'select account_id, status from image_sources where url = $1 order by status',
      [url],
    );
    expect(rows).toEqual([
      { account_id: account.id, status: 'failed' },
      { account_id: other.id, status: 'pending' },
    ]);
  });

  test('whatever holders do and whenever leases end, at most one verdict counts, and it is the newest holder’s', async () => {
    const step = fc.record({
      kind: fc.constantFrom('claim', 'expire', 'store', 'fail', 'retry'),
      by: fc.nat({ max: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const [url = ''] = await queue(1);
        const held = new Map<number, ImageJob>();
        let newest = 0;
        let done = false;
        for (const { kind, by } of steps) {
          const job = held.get(by);
          if (kind === 'expire') await expire([url]);
          else if (kind === 'claim') {
            const claimed = [
              ...(await images.claim(1, 60, 'sound')),
              ...(await images.claim(1, 60, 'suspects')),
            ];
            const [won] = claimed.filter((one) => one.url === url);
            if (!won) continue;
            expect(done).toBe(false);
            expect(won.fence).toBeGreaterThan(newest);
            newest = won.fence;
            held.set(by, won);
          } else if (job) {
            const mayWrite = !done && job.fence === newest && (await statuses([url]))[0] !== 'parked';
            const act = {
              store: () => images.store(job, STORED),
              fail: () => images.fail(job, 'no'),
              retry: () => images.retry(job, null, 0, true),
            }[kind];
            expect(await act()).toBe(mayWrite);
            if (mayWrite && kind !== 'retry') done = true;
          }
        }
        await queryRows('delete from image_sources where url = $1 returning url', [url]);
      }),
      { numRuns: 25 },
    );
  });
});

describe('workers', () => {
  test('two at once fetch every image once, at most three at a time from one host each', async () => {
    const bytes = await uniqueJpeg('slow');
    const slow = () => server.add((response) => void setTimeout(() => response.end(bytes), 30));
    const urls = Array.from({ length: 30 }, slow);
    await account.post(goodTruck({ images: urls }));
    await Promise.all([fetchDueImages(await worker()), fetchDueImages(await worker())]);
    expect(await statuses(urls)).toEqual(urls.map(() => 'stored'));
    expect(urls.map((url) => server.hits(url))).toEqual(urls.map(() => 1));
    expect(server.most()).toBeGreaterThan(1);
    expect(server.most()).toBeLessThanOrEqual(6);
  });

  test('no more than four at once, over all instances', async () => {
    const held = await Promise.all([0, 1, 2, 3].map((n) => leases.acquire(`images-${n}`, 60)));
    expect(await fetchDueImages(await worker())).toEqual({ outcome: 'busy', result: null });
    await Promise.all(held.map((lease, n) => lease && leases.release(`images-${n}`, lease.fence, {})));
    expect((await fetchDueImages(await worker())).outcome).toBe('done');
  });

  test('what a killed worker held is fetched by the next, once its lease is over and not before', async () => {
    const urls = await queue(5);
    await images.claim(5, 60, 'sound');
    await fetchDueImages(await worker());
    expect(urls.map((url) => server.hits(url))).toEqual([0, 0, 0, 0, 0]);
    await expire(urls);
    await fetchDueImages(await worker());
    expect(await statuses(urls)).toEqual(urls.map(() => 'stored'));
  });

  test('an image that takes its workers down is parked; those that were claimed beside it are not', async () => {
    const urls = await queue(6);
    const [poison = ''] = urls;
    await images.claim(6, 60, 'sound');
    const deadly = await worker();
    const dying: Ports = {
      ...deadly,
      // Who is killed gives nothing back.
      images: { ...deadly.images, retry: async () => false, retryAll: async () => undefined },
      fetcher: {
        ...deadly.fetcher,
        fetch: async (request) => {
          if (request.url === poison) throw new Error('out of memory');
          return deadly.fetcher.fetch(request);
        },
      },
    };
    for (let death = 0; death < 4; death += 1) {
      await expire(
        (await statuses(urls)).flatMap((status, n) => (status === 'pending' ? [urls[n] ?? ''] : [])),
      );
      await fetchDueImages(dying).catch((error: unknown) => expect(String(error)).toContain('out of memory'));
    }
    expect(await statuses(urls)).toEqual(['parked', ...urls.slice(1).map(() => 'stored')]);
  });

  test('what a bug breaks off is free for the next worker: its place, the other images, and later the image', async () => {
    const urls = await queue(6);
    const base = await worker();
    const fetch: Ports['fetcher']['fetch'] = async (request) => {
      if (request.url === urls[0]) throw new TypeError('a bug');
      return base.fetcher.fetch(request);
    };
    await expect(fetchDueImages({ ...base, fetcher: { ...base.fetcher, fetch } })).rejects.toThrow('a bug');
    expect(
      await queryRows(`select job from leases where job like 'images-%' and expires_at > now()`),
    ).toEqual([]);
    expect((await statuses(urls))[0]).toBe('internal');
    expect(
      await queryRows('select url from image_sources where url = any($1::text[]) and claims > 0', [urls]),
    ).toEqual([]);
    await expire(urls);
    await fetchDueImages(base);
    expect(await statuses(urls)).toEqual(urls.map(() => 'stored'));
  });

  test('a worker that ships no renderer puts images off by a minute, and no image fails by it', async () => {
    const urls = await queue(2);
    const imaging = lazily<Ports['imaging']>(() => Promise.reject(new Error('Cannot find package sharp')));
    const run = await fetchDueImages(await worker({ imaging }));
    expect(run).toMatchObject({ outcome: 'done', result: { stopped: 'a part of this function is missing' } });
    const rows = await queryRows(
      'select status, attempts, claims, due_at < now() + $2::interval as soon from image_sources where url = any($1::text[])',
      [urls, '61 seconds'],
    );
    expect(rows).toEqual(urls.map(() => ({ status: 'pending', attempts: 0, claims: 0, soon: true })));
  });

  test('a host that lets three images in a row time out is asked for no more of them, and none of the others fails', async () => {
    const host = `slow-${account.id.slice(4, 12).toLowerCase()}.example`;
    const urls = Array.from({ length: 60 }, (_, n) => `https://${host}/${n}.jpg`);
    await account.post(goodTruck({ images: urls }));
    const dripping = await worker();
    let asked = 0;
    const fetch: Ports['fetcher']['fetch'] = async (request) => {
      if (!request.url.includes(host)) return dripping.fetcher.fetch(request);
      asked += 1;
      throw new OutboundFailure('timeout', 'no answer');
    };
    await fetchDueImages({ ...dripping, fetcher: { ...dripping.fetcher, fetch } });
    expect(asked).toBeLessThan(10);
    const tried = await statuses(urls);
    expect(tried.filter((status) => status === 'timeout')).toHaveLength(asked);
    expect(tried.filter((status) => status === 'pending')).toHaveLength(60 - asked);
  });

  test('a worker whose database goes away ends quietly', async () => {
    const urls = await queue(2);
    const { sql } = await useStore();
    const { DatabaseDown } = await import('../../../lib/adapters/postgres/connection/errors.ts');
    const gone = postgresImages({
      ...sql,
      query: async () => {
        throw new DatabaseDown();
      },
    });
    const run = await fetchDueImages(await worker({ images: gone }));
    expect(run).toMatchObject({ outcome: 'done', result: { stopped: expect.any(String) } });
    expect(await statuses(urls)).toEqual(['pending', 'pending']);
  });
});
