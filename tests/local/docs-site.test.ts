import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { areDocsOld } from '../../lib/local/docs-site.ts';
import { suiteFolder } from '../support/processes/suite-folder.ts';

test('the docs are built anew when they are missing, or a source is newer', async () => {
  const root = await suiteFolder();
  const guide = join(root, 'docs/sync.md');
  await mkdir(join(root, 'docs'));
  await writeFile(guide, '# Stay in sync');
  expect(areDocsOld(root)).toBe(true);
  await mkdir(join(root, 'public/docs'), { recursive: true });
  for (const [seconds, isOld] of [
    [-60, false],
    [60, true],
  ] as const) {
    const time = Date.now() / 1000 + seconds;
    await utimes(guide, time, time);
    await utimes(join(root, 'docs'), 0, 0);
    expect(areDocsOld(root)).toBe(isOld);
  }
});
