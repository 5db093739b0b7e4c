import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const BUILD = 'scripts/docs/build-site.ts';

/** Builds the docs site, which is not committed, beside the service if it is missing. Returns what ends the build. */
export function buildDocs(): () => void {
  if (existsSync(join(ROOT, 'public/docs'))) return () => undefined;
  const child = spawn(process.execPath, [BUILD], { cwd: ROOT, stdio: 'ignore' });
  // The service and its demo come first.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const reportFailure = () => process.stderr.write(`The docs could not be built: node ${BUILD} says why.\n`);
  child.once('error', reportFailure);
  child.once('exit', (code) => code && reportFailure());
  return () => void child.kill();
}
