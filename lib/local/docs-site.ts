import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Builds the docs site, which is not committed, if it is missing. A failure is printed; the service starts all the same. */
export async function buildDocs(): Promise<void> {
  if (existsSync(join(ROOT, 'public/docs'))) return;
  await run(process.execPath, ['scripts/docs/build-site.ts'], { cwd: ROOT }).catch((error: Error) =>
    process.stderr.write(`The docs could not be built: ${error.message}\n`),
  );
}
