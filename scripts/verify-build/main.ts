import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openPg } from '../../lib/adapters/postgres/connection/pool.ts';
import { migrate } from '../../lib/adapters/postgres/migrations/migrate.ts';
import { startPostgres } from '../bench/postgres.ts';
import { apiFiles } from '../build.ts';
import { bareFunction, GOALS, isFault, type Measurement, measure, withinGoals } from './cold-start.ts';
import { prepareRequests, VIN } from './first-requests.ts';
import { inspect } from './inspect.ts';
import { type Output, readOutput, stage } from './output.ts';
import { expectations } from './routing.ts';
import { serveOutput } from './serve-output.ts';
import { type DeployedFunction, startProcess } from './start-process.ts';
import { vercelBuild } from './vercel-build.ts';

/**
 * `node scripts/verify-build/main.ts`: builds a copy of the tree with the platform's own builder, without network
 * or account, and checks what it emitted: functions, routes, crons, static files, and what a cold start costs.
 * `--serve PORT` serves the output afterwards instead of measuring. Exit code 1 when anything is wrong.
 */

const SOURCE = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const ENVELOPE = /^\{"error":\{"code":"[A-Z_]+"/;

const { values: flags } = parseArgs({ options: { serve: { type: 'string' } } });
const { folder, root, output: emitted } = await vercelBuild(SOURCE);
try {
  const output = await readOutput(root, emitted);
  // Beside the tree: below it a function would find the tree's node_modules.
  const staged = await stage(output, join(folder, 'staged'));
  const faults = await inspect(SOURCE, output, staged);
  console.log(
    `vercel build: ${output.functions.length} functions, ${output.crons.length} crons, ${output.statics.length} static files`,
  );
  if (flags.serve !== undefined) await serveUntilStopped(output, staged, Number(flags.serve));
  else faults.push(...(await coldStarts(output, staged)));
  for (const fault of faults) console.error(`FAULT  ${fault}`);
  if (faults.length === 0) console.log('The build is as it should be.');
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function serveUntilStopped(output: Output, staged: Map<string, string>, port: number): Promise<void> {
  const { origin, close } = await serveOutput(output, staged, port);
  console.log(`serving the emitted output on ${origin}`);
  await new Promise((stopped) => process.once('SIGINT', stopped).once('SIGTERM', stopped));
  await close();
}

/** Every function once, without credentials; then those that sellers and visitors wait for, measured. */
async function coldStarts(output: Output, staged: Map<string, string>): Promise<string[]> {
  const bareFolder = join(folder, 'bare');
  await mkdir(bareFolder, { recursive: true });
  const bare = await bareFunction(SOURCE, bareFolder);
  const functions = new Map(
    output.functions.map(({ name, handler }) => [name, { name, handler, folder: staged.get(name) ?? '' }]),
  );
  const postgres = await startPostgres();
  try {
    const sql = openPg({ url: postgres.url });
    await migrate(sql);
    await sql.close();
    const refusals = await refusalFaults(functions, postgres.url);
    const asked = await prepareRequests(functions, postgres.url);
    const candidates = asked.flatMap(({ name, request }) => {
      const deployed = functions.get(name);
      return deployed ? [{ deployed, request }] : [];
    });
    const bareRequest = { deployed: bare, request: { path: `/?vin=${VIN}` } };
    const measured = await measure(candidates, bareRequest, postgres.url);
    print(measured);
    return [...refusals, ...measured.flatMap(measurementFaults)];
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

function measurementFaults(one: Measurement): string[] {
  const { name, ratio, megabytes, rounds, answer } = one;
  const cost = `${ratio.toFixed(2)}× bare Hono with pg, ${megabytes.toFixed(0)} MB after ${rounds} rounds`;
  return [
    ...(isFault(one) ? [`${name}: ${cost}`] : []),
    ...(answer.status < 300 ? [] : [`${name}: answered ${answer.status} ${answer.body.slice(0, 200)}`]),
  ];
}

function print(measured: readonly Measurement[]): void {
  const width = Math.max(...measured.map(({ name }) => name.length));
  console.log(
    `\nprocess start → first useful answer, medians; goals: ${GOALS.ratio}× bare Hono with pg, ${GOALS.megabytes} MB peak`,
  );
  for (const { name, ms, bareMs, ratio, megabytes, answer, rounds } of measured) {
    const cells = [
      name.padEnd(width),
      `${ms.toFixed(1).padStart(6)} ms`,
      `bare ${bareMs.toFixed(1).padStart(5)} ms`,
      `${ratio.toFixed(2)}×`,
      `${megabytes.toFixed(1).padStart(5)} MB`,
      String(answer.status),
      rounds > 1 ? `best of ${rounds} rounds` : '',
      withinGoals({ ratio, megabytes }) ? '' : 'OVER THE GOAL',
    ];
    console.log(cells.join('  ').trimEnd());
  }
}
