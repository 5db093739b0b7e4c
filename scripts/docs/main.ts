import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generateDocs, ROOT } from './generate.ts';

/** `npm run docs`: writes the OpenAPI document, the docs pages and the error pages. */
const files = await generateDocs();
const pages = 'public/docs/errors';
for (const name of await readdir(join(ROOT, pages)).catch(() => []))
  if (!files.has(`${pages}/${name}`)) await rm(join(ROOT, pages, name));
for (const [path, text] of files) {
  await mkdir(dirname(join(ROOT, path)), { recursive: true });
  await writeFile(join(ROOT, path), text);
}
console.log(`${files.size} files written.`);
