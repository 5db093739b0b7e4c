import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { areDocsOld } from '../../lib/local/docs-site.ts';
import { suiteFolder } from '../support/processes/suite-folder.ts';

test('the docs are built anew when they are missing, or a source is newer', async () => {
  const root = await suiteFolder();
  const sources = join(root, 'docs');
  await mkdir(sources);
  expect(areDocsOld(root)).toBe(true);
  await mkdir(join(root, 'public/docs'), { recursive: true });
  expect(areDocsOld(root)).toBe(false);
  await utimes(sources, 0, Date.now());
  expect(areDocsOld(root)).toBe(true);
});
