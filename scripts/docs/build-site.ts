import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generateSite, ROOT } from './generate.ts';

/**
 * Builds the docs site into public/docs, which is never committed. The pages appear all at once, so that a service
 * that runs meanwhile serves either the old site or the new one.
 */
const target = join(ROOT, 'public/docs');
const folder = await mkdtemp(join(ROOT, 'public/.docs-'));
try {
  await cp(join(import.meta.dirname, 'static'), folder, { recursive: true });
  for (const [path, text] of await generateSite()) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await rm(target, { recursive: true, force: true });
  await rename(folder, target);
} finally {
  await rm(folder, { recursive: true, force: true });
}
