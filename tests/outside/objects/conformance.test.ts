import { randomBytes } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { Unavailable } from '../../../lib/outside/faults.ts';
import type { Objects } from '../../../lib/outside/files.ts';
import { absentObjects } from '../../../lib/outside/objects/absent.ts';
import { folderObjects } from '../../../lib/outside/objects/folder.ts';
import { s3Objects } from '../../../lib/outside/objects/s3.ts';
import { suiteFolder } from '../../support/processes/suite-folder.ts';
import { freePort, listen } from '../../support/servers/ports.ts';
import { startS3 } from '../../support/servers/s3.ts';

const clock = { now: Date.now };

const folder = await suiteFolder();
const s3 = await startS3();
afterAll(() => s3.stop());

describe.each<[string, Objects]>([
  ['a folder', folderObjects(join(folder, 'not', 'there', 'yet'), clock)],
  ['S3', s3Objects(s3.settings, clock)],
])('%s', (_name, objects) => {
  let serial = 0;
  const uniqueKey = () => `media/ab/${(++serial).toString(16).padStart(64, '0')}/640.webp`;

  test('an absent key is null, also where a folder of that name is', async () => {
    const key = uniqueKey();
    await objects.put(key, new Uint8Array([1]), 'image/webp');
    for (const absent of [uniqueKey(), `${key}/deeper`, key.replace('/640.webp', '')])
      expect([await objects.get(absent), await objects.open(absent)]).toEqual([null, null]);
  });

  test('a key that could leave the store is refused', async () => {
    for (const key of ['x', 'media/../../x', 'media/a\0b', 'a/b\\c'])
      for (const work of [
        async () => objects.put(key, new Uint8Array(), 'x'),
        async () => objects.get(key),
        async () => objects.putFile(key, '/dev/null', 'x'),
        async () => objects.open(key),
        async () => objects.remove(key),
      ])
        await expect(work(), JSON.stringify(key)).rejects.toThrow('no key');
  });

  test('what was put, as bytes or a file, is what is got, whole or in pieces: empty, 20 MB, a view', async () => {
    const large = randomBytes(20_000_001);
    for (const bytes of [Buffer.alloc(0), large, large.subarray(1_000, 3_000)]) {
      const path = join(folder, 'file');
      await writeFile(path, bytes);
      const [bytesKey, fileKey] = [uniqueKey(), uniqueKey()];
      await objects.put(bytesKey, bytes, 'image/webp');
      await objects.putFile(fileKey, path, 'application/octet-stream');
      for (const key of [bytesKey, fileKey]) {
        expect(bytes.equals((await objects.get(key)) ?? large)).toBe(true);
        const pieces: Uint8Array[] = [];
        for await (const piece of (await objects.open(key)) ?? []) pieces.push(piece);
        expect(bytes.equals(Buffer.concat(pieces))).toBe(true);
        expect(Math.max(0, ...pieces.map(({ length }) => length))).toBeLessThan(2_000_000);
      }
    }
  });

  test('what was removed is absent, opened as well; removing again is no failure', async () => {
    const key = uniqueKey();
    await objects.put(key, new Uint8Array([1]), 'x');
    await objects.remove(key);
    await objects.remove(key);
    expect([await objects.get(key), await objects.open(key)]).toEqual([null, null]);
  });
});

test('what a killed process wrote half of is removed, and nothing that another writes', async () => {
  const halves = join(folder, 'killed', '.halves');
  await mkdir(join(halves, 'folder'), { recursive: true });
  for (const name of ['half', 'young']) await writeFile(join(halves, name), 'x');
  const long = new Date(Date.now() - 2 * 3_600_000);
  for (const name of ['half', 'folder']) await utimes(join(halves, name), long, long);
  await folderObjects(join(folder, 'killed'), clock).put('media/a', new Uint8Array(), 'x');
  expect(await readdir(halves)).toEqual(['young']);
});

describe('a store that is not to be had is Unavailable', () => {
  test('a folder that cannot be made', async () => {
    const blocked = join(folder, 'a-file');
    await writeFile(blocked, '');
    await expect(folderObjects(blocked, clock).put('media/a', new Uint8Array(), 'x')).rejects.toThrow(
      Unavailable,
    );
  });

  test('S3 that does not answer, or has no such bucket', async () => {
    const nobody = { ...s3.settings, endpoint: `http://127.0.0.1:${await freePort()}` };
    for (const settings of [nobody, { ...s3.settings, bucket: 'absent' }]) {
      const objects = s3Objects(settings, clock);
      await expect(objects.put('media/a', new Uint8Array(), 'x')).rejects.toThrow(Unavailable);
      await expect(objects.ping()).rejects.toThrow(Unavailable);
    }
    const path = join(folder, 'to-nobody');
    await writeFile(path, randomBytes(9_000_000));
    await expect(s3Objects(nobody, clock).putFile('media/a', path, 'x')).rejects.toThrow(Unavailable);
  });

  test('S3 that falls silent in mid-answer', async () => {
    const silent = createServer((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('the beginning');
    });
    const endpoint = `http://127.0.0.1:${await listen(silent)}`;
    const objects = s3Objects({ ...s3.settings, endpoint }, clock, 500);
    await expect(objects.get('media/a')).rejects.toThrow(Unavailable);
    const pieces = objects.open('media/a').then((object) => object && buffer(object));
    await expect(pieces).rejects.toThrow(Unavailable);
    silent.closeAllConnections();
    silent.close();
  });

  test('production without a bucket', async () => {
    await expect(absentObjects().ping()).rejects.toThrow('S3_BUCKET');
  });
});

test('a folder on a disk that is nearly full takes nothing more, and is read', async () => {
  const path = join(folder, 'full');
  await folderObjects(path, clock).put('feeds/kept', new Uint8Array([7]), 'text/csv');
  const full = folderObjects(path, clock, Number.MAX_SAFE_INTEGER);
  await expect(full.put('feeds/more', new Uint8Array([8]), 'text/csv')).rejects.toThrow(Unavailable);
  expect(await full.get('feeds/kept')).toEqual(Buffer.from([7]));
});
