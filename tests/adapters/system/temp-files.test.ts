import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFiles } from '../../../lib/adapters/system/temp-files.ts';
import { Unavailable } from '../../../lib/ports/faults.ts';
import { suiteFolder } from '../../support/processes/suite-folder.ts';

const folder = await suiteFolder();

async function* someBytes() {
  yield new Uint8Array(100_000);
}

test('the sweep removes what killed runs left, and neither younger files nor those of others', async () => {
  const files = tempFiles(folder);
  await mkdir(join(folder, 'ctis-feed-killed'));
  await mkdir(join(folder, 'of-somebody-else'));
  const long = new Date(Date.now() - 7_200_000);
  for (const name of await readdir(folder)) await utimes(join(folder, name), long, long);
  const young = await files.make();
  expect(await files.sweep()).toBe(1);
  expect(await readdir(folder)).toHaveLength(2);
  await young.remove();
  expect(await readdir(folder)).toEqual(['of-somebody-else']);
});

test('a full disk is a fault of ours', async () => {
  await expect(tempFiles(folder).fill('/dev/full', someBytes())).rejects.toBeInstanceOf(Unavailable);
});
