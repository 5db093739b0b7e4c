import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPg } from '../../lib/db/connection/pool.ts';
import { migrate } from '../../lib/db/migrations/migrate.ts';
import { startPostgres } from '../bench/postgres.ts';
import { apiFiles } from '../build.ts';
import { bareFunction, type Measurement, measure } from './cold-start.ts';
import { prepareRequests, VIN } from './first-requests.ts';
import { inspect, routeFaults } from './inspect.ts';
import { type Output, readOutput, stage } from './output.ts';
import { expectations, SITE } from './routing.ts';
import { type DeployedFunction, startProcess } from './start-process.ts';
import { vercelBuild } from './vercel-build.ts';

/**
 * `npm run verify-build`: builds a copy of the tree with the platform's own builder, without network or account, and
 * checks what it emitted: functions, routes, crons, static files, and what a cold start costs. Exit code 1 when anything
 * is wrong.
 */

const SOURCE = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const ENVELOPE = /^\{"error":\{"code":"[A-Z_]+"/;
const GOALS = { ratio: 2.2, megabytes: 90 };
/** What fails the check: beyond it no busy machine explains a missed goal. */
const LIMITS = { ratio: 3, megabytes: 95 };

const { folder, root, output: emitted } = await vercelBuild(SOURCE);
try {
  const output = await readOutput(root, emitted);
  // Beside the tree: below it a function would find the tree's node_modules.
  const staged = await stage(output, join(folder, 'staged'));
  const faults = await inspect(SOURCE, output, staged);
  faults.push(...SITE.flatMap((expected) => routeFaults(output, expected)));
  console.log(
    `vercel build: ${output.functions.length} functions, ${output.crons.length} crons, ${output.statics.length} static files`,
  );
  faults.push(...(await coldStarts(output, staged)));
  for (const fault of faults) console.error(`FAULT  ${fault}`);
  if (faults.length === 0) console.log('The build is as it should be.');
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Every function once, without credentials; then those that sellers and visitors wait for, measured. */
async function coldStarts(output: Output, staged: Map<string, string>): Promise<string[]> {
  const bare = await bareFunction(SOURCE, join(folder, 'bare'));
  const functions = new Map(
    output.functions.map(({ name, handler }) => [name, { name, handler, folder: staged.get(name) ?? '' }]),
  );
  const postgres = await startPostgres();
  try {
    const sql = openPg({ url: postgres.url });
    await migrate(sql);
    await sql.close();
    const faults = await refusalFaults(functions, postgres.url);
    const requests = await prepareRequests(functions, postgres.url);
    const bareRequest = { deployed: bare, request: { path: `/?vin=${VIN}` } };
    console.log('process start → first useful answer, medians, beside bare Hono with pg');
    for (const { name, request } of requests) {
      const deployed = functions.get(name);
      if (!deployed) throw new Error(`${name} was not emitted`);
      const measured = await measure({ deployed, request }, bareRequest, postgres.url);
      console.log(describe(measured));
      if (isFault(measured)) faults.push(describe(measured));
    }
    return faults;
  } finally {
    await postgres.stop();
  }
}

/** Without credentials everything refuses, but health. */
async function refusalFaults(functions: ReadonlyMap<string, DeployedFunction>, postgresUrl: string) {
  const paths = new Map(expectations(apiFiles(SOURCE)).map(({ name, path }) => [name, path]));
  const faults: string[] = [];
  for (const [name, deployed] of functions) {
    const answer = await startProcess(deployed, { path: paths.get(name) ?? '/' }, postgresUrl);
    // Pages refuse by a page.
    const refusal = name === 'api/dashboard' ? /^<!doctype html>/ : ENVELOPE;
    const isRefusal = [400, 401, 404].includes(answer.status) && refusal.test(answer.body);
    if (!answer.requestId) faults.push(`${name}: answered without x-request-id`);
    if (!isRefusal && name !== 'api/health')
      faults.push(`${name}: first answer was ${answer.status} ${answer.body.slice(0, 200)}`);
  }
  return faults;
}

function isFault({ ms, bareMs, megabytes, answer }: Measurement): boolean {
  return ms / bareMs > LIMITS.ratio || megabytes > LIMITS.megabytes || answer.status >= 300;
}

function describe({ name, ms, bareMs, megabytes, answer }: Measurement): string {
  const ratio = ms / bareMs;
  const isOver = ratio > GOALS.ratio || megabytes > GOALS.megabytes;
  const cost = `${ms.toFixed(1)} ms, bare ${bareMs.toFixed(1)} ms, ${ratio.toFixed(2)}×, ${megabytes.toFixed(1)} MB`;
  return `${name}: ${answer.status}, ${cost}${isOver ? ` OVER THE GOAL of ${GOALS.ratio}× and ${GOALS.megabytes} MB` : ''}`;
}
