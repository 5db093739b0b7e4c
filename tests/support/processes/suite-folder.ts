import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder of the suite's own, which goes when the suite has ended. */
export async function suiteFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ctis-suite-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
