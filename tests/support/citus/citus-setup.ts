import type { TestProject } from 'vitest/node';
import { startCluster } from './cluster.ts';

/** Vitest global setup: the Citus cluster of CITUS_URL, else a coordinator and two workers for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = process.env.CITUS_URL === undefined ? await startCluster() : null;
  project.provide('citusUrl', cluster?.url ?? process.env.CITUS_URL);
  return async () => cluster?.stop();
}
