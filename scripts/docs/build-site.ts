import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { drawTrucks } from '../demo/drawing.ts';
import { describeService, ROOT, readDeployment } from './describe-service.ts';
import { errorSidebar } from './pages/error-pages.ts';
import { llmsIndex, plainPages, sitePages } from './pages/pages.ts';
import { type Recording, record } from './record.ts';

/**
 * Builds the docs site into public/docs, which is never committed. The pages appear all at once, so that a service
 * that runs meanwhile serves either the old site or the new one.
 */
export async function buildSite(recording: Recording, target = join(ROOT, 'public/docs')): Promise<void> {
  const folder = await mkdtemp(join(ROOT, '.docs-'));
  const built = join(folder, 'built');
  try {
    const pages = await prepare(folder, recording);
    await build(folder, { outDir: built });
    for (const [path, text] of plainPages(pages, readDeployment().address))
      await writeFile(join(built, path), text);
    await writeFile(join(built, 'llms.txt'), llmsIndex(pages));
    await rm(target, { recursive: true, force: true });
    await rename(built, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A VitePress project: the site's own files, the pages, and Scalar's script for the reference. */
async function prepare(folder: string, recording: Recording): Promise<Map<string, string>> {
  await cp(join(import.meta.dirname, 'site'), folder, { recursive: true });
  const scalar = fileURLToPath(import.meta.resolve('@scalar/api-reference'));
  await cp(join(dirname(scalar), 'browser/standalone.js'), join(folder, 'public/scalar.js'));
  await mkdir(join(folder, 'public/preview'));
  for (const [name, picture] of drawTrucks())
    await writeFile(join(folder, `public/preview/${name}.svg`), picture);
  await writeFile(join(folder, '.vitepress/errors.json'), JSON.stringify(errorSidebar()));
  const pages = await sitePages(recording);
  for (const [path, text] of pages) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return pages;
}

if (import.meta.main) {
  const recording = await record();
  await buildSite(recording, process.argv[2]);
  if (process.env.VERCEL) await publishDocument(recording);
}

/** In the platform's disposable checkout the document names the address that is deployed to. */
async function publishDocument({ examples }: Recording): Promise<void> {
  const document = await describeService(examples, 'sellers', readDeployment());
  await writeFile(join(ROOT, 'public/openapi.json'), JSON.stringify(document));
}
