import { afterAll, expect, test } from 'vitest';
import { claimJob, type Job } from '../../../lib/db/jobs/queue.ts';
import { photos } from '../../../lib/images/fetch-photos.ts';
import { BACKOFF_STEPS, drain } from '../../../lib/jobs/drain.ts';
import { lazily } from '../../../lib/outside/lazily.ts';
import { OutboundFailure } from '../../../lib/outside/outbound.ts';
import type { Ports } from '../../../lib/ports.ts';
import { uniqueJpeg } from '../../support/samples/pictures.ts';
import { startImageServer } from '../../support/servers/image-server.ts';
import { makeJobsDue, queryRows } from '../../support/service/database.ts';
import { goodTruck, startService } from '../../support/service/service.ts';

/** Workers that fetch photos; what the queue itself promises is in tests/db/postgres/jobs. */

const server = await startImageServer();
// Nothing is fetched behind the tests' back.
const service = await startService((base) => ({ ...server.ports(base), settings: base.settings }));
const account = await service.newAccount();
afterAll(() => server.close());

async function queue(count: number): Promise<string[]> {
  const photos = await Promise.all(Array.from({ length: count }, () => uniqueJpeg(`${Math.random()}`)));
  const urls = photos.map((photo) => server.add(photo));
  await account.post(goodTruck({ images: urls }));
  return urls;
}
const statuses = async (urls: readonly string[]) => {
  const rows = await queryRows<{ status: string }>(
    `select coalesce(s.reason, s.status, 'pending') as status from unnest($2::text[]) with ordinality as named(url, at)
     left join image_sources s on s.account_id = $1 and s.url = named.url order by at`,
    [account.id, urls],
  );
  return rows.map(({ status }) => status);
};
/** Another process, with a queue of its own over the same database. */
const worker = (change: Partial<Ports> = {}): Ports => ({
  ...service.ports,
  db: Object.create(service.ports.db),
  settings: { ...service.ports.settings, restingJobs: new Set() },
  ...change,
});
const fetching = (fetch: Ports['fetcher']['fetch']) =>
  worker({ fetcher: { ...service.ports.fetcher, fetch } });
/** One that a photo breaks. */
const brokenBy = (url: string | undefined, error: Error) =>
  fetching(async (request) => {
    if (request.url === url) throw error;
    return service.ports.fetcher.fetch(request);
  });
const work = (ports = worker()) => drain(ports, photos, { accountId: account.id });

test('two workers at once fetch every photo once, at most three at a time from one host', async () => {
  const bytes = await uniqueJpeg('slow');
  const slow = () => server.add((response) => void setTimeout(() => response.end(bytes), 30));
  const urls = Array.from({ length: 28 }, slow);
  const shots = [urls.slice(0, 10), [...urls.slice(10, 19), ...urls.slice(0, 1)], urls.slice(18)];
  await account.post({ records: shots.map((images) => goodTruck({ images })) });
  await Promise.all([work(), work()]);
  expect(await statuses(urls)).toEqual(urls.map(() => 'stored'));
  expect(urls.map((url) => server.hits(url))).toEqual(urls.map(() => 1));
  expect(server.most()).toBeGreaterThan(1);
  expect(server.most()).toBeLessThanOrEqual(3);
});

test('a photo that takes its workers down is left alone; those of the same truck are not', async () => {
  const urls = await queue(6);
  const dying = brokenBy(urls[2], new Error('out of memory'));
  for (let death = 0; death < BACKOFF_STEPS; death += 1) {
    const job = await claimJob(dying.db, 'photos', { accountId: account.id }, 1);
    // Who is killed gives nothing back.
    await expect(photos.start(dying, Date.now() + 60_000)(job as Job)).rejects.toThrow('out of memory');
    await makeJobsDue(account.id);
  }
  await work(dying);
  expect(await statuses(urls)).toEqual(urls.map((_, n) => (n === 2 ? 'parked' : 'stored')));
});

test('what a bug breaks off is free for the next worker: the other photos at once, and later the photo', async () => {
  const urls = await queue(6);
  await expect(work(brokenBy(urls[0], new TypeError('a bug')))).rejects.toThrow('a bug');
  expect(await statuses(urls)).toEqual(['pending', ...urls.slice(1).map(() => 'stored')]);
  await makeJobsDue(account.id);
  await work();
  expect(await statuses(urls)).toEqual(urls.map(() => 'stored'));
});

test('a worker that ships no renderer puts photos off by a minute, and no photo fails by it', async () => {
  const urls = await queue(2);
  const imaging = lazily<Ports['imaging']>(() => Promise.reject(new Error('Cannot find package sharp')));
  expect(await work(worker({ imaging }))).toEqual({ stopped: 'a part of this function is missing' });
  const text = `select tries, due_at between now() and now() + interval '61 seconds' as soon from jobs where account_id = $1`;
  expect(await queryRows(text, [account.id])).toEqual([{ tries: 0, soon: true }]);
  expect(await statuses(urls)).toEqual(['pending', 'pending']);
  await makeJobsDue(account.id);
  await work();
});

test('a host that lets three photos in a row time out is asked for no more of them, and none of the others fails', async () => {
  const host = `slow-${account.id.slice(4, 12).toLowerCase()}.example`;
  const urls = Array.from({ length: 60 }, (_, n) => `https://${host}/${n}.jpg`);
  await account.post(goodTruck({ images: urls }));
  let requestCount = 0;
  const silent = fetching(async () => {
    requestCount += 1;
    throw new OutboundFailure('timeout', 'no answer');
  });
  await work(silent);
  expect(requestCount).toBeLessThan(10);
  const finalStatuses = (await statuses(urls)).sort();
  expect(finalStatuses).toEqual([
    ...Array(60 - requestCount).fill('pending'),
    ...Array(requestCount).fill('timeout'),
  ]);
});
