import { execFile } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** What the pages are made of. */
const SOURCES = ['{docs,lib,scripts/docs}/**', 'CHANGELOG.md', 'package-lock.json'];

/** Builds the docs site, which is not committed, if it is missing or old. A failure is printed; the service starts all the same. */
export async function buildDocs(): Promise<void> {
  if (!areDocsOld(ROOT)) return;
  await run(process.execPath, ['scripts/docs/build-site.ts'], { cwd: ROOT }).catch((error: Error) =>
    process.stderr.write(`The docs could not be built: ${error.message}\n`),
  );
}

/** Whether a source is newer than the site below `root`. */
export function areDocsOld(root: string): boolean {
  const site = statSync(join(root, 'public/docs'), { throwIfNoEntry: false });
  return (
    !site || globSync(SOURCES, { cwd: root }).some((path) => statSync(join(root, path)).mtime > site.mtime)
  );
}
