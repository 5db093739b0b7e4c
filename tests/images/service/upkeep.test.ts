import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { mediaKey, mediaPath } from '../../../lib/images/names/media.ts';
import { readStoredImage } from '../../../lib/images/queries/images.ts';
import { forgetImages, listOfHour } from '../../../lib/images/queries/maintain-images.ts';
import { removeUnusedImages } from '../../../lib/images/remove-unused-images.ts';
import { searchFaults } from '../../support/oracles/search-recount.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { queryRows, setImages } from '../../support/service/database.ts';
import { CRON_SECRET, startService, type TestAccount } from '../../support/service/service.ts';

/** What the hourly sweep does about images: listings follow their fate, and forgotten ones go. */

const service = await startService();
const account = await service.newAccount();

let serial = 0;
const images = (count: number) =>
  Array.from({ length: count }, () => `https://dealer.example/${process.pid}/${++serial}.jpg`);

async function sweep() {
  const { body } = await service.call('GET', '/api/cron/housekeeping', { token: CRON_SECRET });
  return body.outcome;
}

const fate = (urls: readonly string[], status: string, age?: string) =>
  setImages(account.id, urls, status, age);

test.each([
  ['all five', 5, ['images', 'more_images'], 19],
  ['one of five', 1, ['more_images'], 5],
])(
  'of a listing %s images died: quality and has_images follow, as a post would find them',
  async (_, dead, missingFields, points) => {
    const urls = images(5);
    const truck = cleanTruck({ images: urls });
    await account.post(truck);
    const before = await account.read(truck.vin);
    await fate(urls.slice(0, dead), 'failed');
    expect(await sweep()).toBe('done');
    const { quality, updated_at, images: listedImages } = await account.read(truck.vin);
    expect([quality.score, listedImages.length]).toEqual([before.quality.score - points, 5]);
    expect(quality.missing).toEqual(expect.arrayContaining(missingFields));
    expect(Date.parse(updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    const { body } = await account.call('GET', '/v1/inventory?has_images=true&limit=100&fields=vin');
    expect(body.listings.some(({ vin }: { vin: string }) => vin === truck.vin)).toBe(dead !== 5);

    expect((await account.post(truck)).body.outcome).toBe('unchanged');
    const postedQuality = (await account.post({ ...truck, color: 'Red' })).body.quality;
    const missing = quality.missing.filter((item: string) => item !== 'color');
    expect(postedQuality).toEqual({ score: quality.score + 1, missing });
    expect(await searchFaults(account.id)).toEqual([]);
  },
);

describe('images that nothing names any more', () => {
  const hash = () => randomBytes(32).toString('hex');
  const listKeys = (of: string) => [mediaKey(of, 'original.jpg'), mediaKey(of, '320.webp')];
  const isStored = async (of: string) => {
    const objects = await Promise.all(listKeys(of).map((key) => service.ports.objects.get(key)));
    return objects.map((bytes) => bytes !== null);
  };

  /** As after a fetch; marked as unused for so long. */
  async function store(owner: TestAccount, of: string, unusedFor: string | null) {
    for (const key of listKeys(of)) await service.ports.objects.put(key, new Uint8Array([1]), 'image/webp');
    const renditions = JSON.stringify([{ width: 320, height: 200, url: mediaPath(of, '320.webp') }]);
    await queryRows(
      `insert into stored_images (account_id, hash, width, height, original, placeholder, renditions, unused_since)
       values ($1, decode($2, 'hex'), 320, 200, $3, '', $4::json, now() - $5::interval)`,
      [owner.id, of, mediaPath(of, 'original.jpg'), renditions, unusedFor],
    );
  }

  const use = (owner: TestAccount, of: string, url = of) =>
    queryRows(
      `insert into image_sources (account_id, url_hash, url, host, status, image_hash)
       values ($1, decode($2, 'hex'), $3, '', 'stored', decode($2, 'hex'))`,
      [owner.id, of, url],
    );

  test('leave the object store a day after they were forgotten; those in use stay', async () => {
    const [unusedHash, newHash, usedHash, shared] = [hash(), hash(), hash(), hash()];
    const [owner, other] = [await service.newAccount(), await service.newAccount()];
    for (const each of [unusedHash, usedHash, shared]) await store(owner, each, '25 hours');
    await store(owner, newHash, null);
    await store(other, shared, null);
    await use(owner, usedHash);
    expect(await removeUnusedImages(service.ports, owner.id)).toBe(2);
    expect(await isStored(unusedHash)).toEqual([false, false]);
    const row = "select 1 from stored_images where account_id = $1 and hash = decode($2, 'hex')";
    expect(await queryRows(row, [owner.id, unusedHash])).toEqual([]);
    for (const each of [newHash, usedHash, shared]) expect(await isStored(each), each).toEqual([true, true]);
  });

  test('are fetched again when somebody used them while they were removed', async () => {
    const [lateHash, owner, other] = [hash(), await service.newAccount(), await service.newAccount()];
    const [url = ''] = images(1);
    await store(owner, lateHash, '25 hours');
    const objects = {
      ...service.ports.objects,
      async remove(key: string) {
        await service.ports.objects.remove(key);
        if (key.endsWith('320.webp')) await store(other, lateHash, null);
        if (key.endsWith('320.webp')) await use(other, lateHash, url);
      },
    };
    const { body } = await other.post(cleanTruck({ images: [url] }));
    await queryRows('delete from jobs where account_id = $1', [other.id]);
    await removeUnusedImages({ ...service.ports, objects }, owner.id);
    expect(await queryRows('select url from image_sources where account_id = $1', [other.id])).toEqual([]);
    const jobs = await queryRows('select kind, key from jobs where account_id = $1', [other.id]);
    expect(jobs).toEqual([{ kind: 'photos', key: body.dedup_hash }]);
    expect(await readStoredImage(service.ports.db, other.id, lateHash)).toBeNull();
  });
});

test('images that no listing names are forgotten after 30 days, all others stay', async () => {
  const [currentUrl = '', dropped = '', young = ''] = images(3);
  const truck = cleanTruck({ images: [currentUrl, dropped, young] });
  await account.post(truck);
  await account.post({ ...truck, images: [currentUrl] });
  await fate([currentUrl, dropped], 'failed', '31 days');
  await fate([young], 'failed', '29 days');
  const { db } = service.ports;
  const hours = await Promise.all(Array.from({ length: 24 }, (_, hour) => listOfHour(db, hour)));
  expect(hours.flat().filter(({ id }) => id === account.id)).toHaveLength(1);
  expect(await forgetImages(db, account.id)).toBe(1);
  const left = await queryRows(
    'select url from image_sources where account_id = $1 and url in ($2, $3, $4) order by url',
    [account.id, currentUrl, dropped, young],
  );
  expect(left).toEqual([{ url: currentUrl }, { url: young }]);
});
