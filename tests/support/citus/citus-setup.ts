import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { afterDeath } from '../processes/watchdog.ts';
import { CITUS_SOURCE } from './citus-source.ts';

const run = promisify(execFile);
const SCRIPT = join(CITUS_SOURCE, 'cluster.sh');

/** Vitest global setup: the Citus cluster of CITUS_URL, else a coordinator and two workers for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.CITUS_URL;
  if (given !== undefined) {
    project.provide('citusUrl', given);
    return async () => {};
  }
  const folder = await mkdtemp(join(tmpdir(), 'ctis-citus-'));
  // The servers run as another user.
  await chmod(folder, 0o711);
  const cluster = join(folder, 'cluster');
  const port = String(40_000 + Math.floor(Math.random() * 10_000));
  const callOff = afterDeath(`bash '${SCRIPT}' stop "$1"; rm -rf '${folder}'`, cluster);
  const { stdout } = await run('bash', [SCRIPT, 'start', cluster, port]);
  project.provide('citusUrl', stdout.trim());
  return async () => {
    callOff();
    await run('bash', [SCRIPT, 'stop', cluster]);
    await rm(folder, { recursive: true, force: true });
  };
}
