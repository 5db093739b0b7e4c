import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Unavailable } from '../../../lib/outside/faults.ts';
import { tempFiles } from '../../../lib/outside/system/temp-files.ts';
import { suiteFolder } from '../../support/processes/suite-folder.ts';

const folder = await suiteFolder();

test('a new file makes room first: what killed runs left goes, and neither younger files nor those of others', async () => {
  const files = tempFiles(folder);
  await mkdir(join(folder, 'ctis-feed-killed'));
  await mkdir(join(folder, 'of-somebody-else'));
  const long = new Date(Date.now() - 1_800_000);
  for (const name of await readdir(folder)) await utimes(join(folder, name), long, long);
  const young = await files.make();
  expect(await readdir(folder)).toHaveLength(2);
  const other = await files.make();
  expect(await readdir(folder)).toHaveLength(3);
  for (const file of [young, other]) await file.remove();
  expect(await readdir(folder)).toEqual(['of-somebody-else']);
});

test('a download begins when all that is under way fits beside it, and alone in any case', async () => {
  const files = tempFiles(folder, () => 500);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const download = (name: string, bytes: number) =>
    files.reserve(bytes, () => {
      begun.push(name);
      return new Promise<void>((end) => ends.set(name, end));
    });
  const all = [download('large', 400), download('small', 100), download('next', 400)];
  for (const [end, beginning] of [
    ['small', 'large small'],
    ['large', 'large small'],
    ['next', 'large small next'],
  ] as const) {
    await setImmediate();
    expect(begun.join(' ')).toBe(beginning);
    ends.get(end)?.();
  }
  await Promise.all(all);
  const tooLarge = download('tooLarge', 900);
  ends.get('tooLarge')?.();
  await tooLarge;
});

test('a full disk is a fault of ours', async () => {
  await expect(
    tempFiles(folder).fill('/dev/full', Readable.from([new Uint8Array(100_000)])),
  ).rejects.toBeInstanceOf(Unavailable);
});
