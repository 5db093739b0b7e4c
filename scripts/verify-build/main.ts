import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { apiFiles } from '../build.ts';
import {
  bareFunction,
  type Candidate,
  GOALS,
  isFault,
  type Measurement,
  measure,
  withinGoals,
} from './cold-start.ts';
import { inspect } from './inspect.ts';
import { type Output, readOutput, stage } from './output.ts';
import { expectations } from './routing.ts';
import { serveOutput } from './serve-output.ts';
import { vercelBuild } from './vercel-build.ts';

/**
 * `node scripts/verify-build/main.ts`: builds a copy of the tree with the platform's own builder, without network
 * or account, and checks what it emitted: functions, routes, crons, static files, and what a cold start costs.
 * `--serve PORT` serves the output afterwards instead of measuring. Exit code 1 when anything is wrong.
 */

const SOURCE = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** Plain health waits for the database, which is away here; deep health refuses first, as all others do. */
const FIRST_REQUESTS: Record<string, string> = { 'api/health': '/api/health?deep=1' };

const { values: flags } = parseArgs({ options: { serve: { type: 'string' } } });
const { root, output: folder } = await vercelBuild(SOURCE);
try {
  const output = await readOutput(root, folder);
  const staged = await stage(output, join(root, '.vercel/staged'));
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
  await rm(root, { recursive: true, force: true });
}

async function serveUntilStopped(output: Output, staged: Map<string, string>, port: number): Promise<void> {
  const { origin, close } = await serveOutput(output, staged, port);
  console.log(`serving the emitted output on ${origin}`);
  await new Promise((stopped) => process.once('SIGINT', stopped).once('SIGTERM', stopped));
  await close();
}

async function coldStarts(output: Output, staged: Map<string, string>): Promise<string[]> {
  const bareFolder = join(root, '.vercel/bare');
  await mkdir(bareFolder, { recursive: true });
  const bare = await bareFunction(SOURCE, bareFolder);
  const paths = new Map(expectations(apiFiles(SOURCE)).map(({ name, path }) => [name, path]));
  const candidates = output.functions.map(
    ({ name, handler }): Candidate => ({
      name,
      handler,
      folder: staged.get(name) ?? '',
      path: FIRST_REQUESTS[name] ?? paths.get(name) ?? '/',
    }),
  );
  const measured = await measure(candidates, bare);
  print(measured);
  return measured.flatMap((one) => [
    ...(!isFault(one)
      ? []
      : [
          `${one.name}: ${one.ratio.toFixed(2)}× bare Hono, ${one.megabytes.toFixed(0)} MB after ${one.rounds} rounds`,
        ]),
    ...answerFaults(one),
  ]);
}

/** Without credentials and without a database everything refuses, by envelope. */
function answerFaults({ name, answer }: Measurement): string[] {
  const faults = answer.requestId ? [] : [`${name}: answered without x-request-id`];
  const refused = [400, 401, 404].includes(answer.status);
  return refused && /^\{"error":\{"code":"[A-Z_]+"/.test(answer.body)
    ? faults
    : [...faults, `${name}: first answer was ${answer.status} ${answer.body.slice(0, 200)}`];
}

function print(measured: readonly Measurement[]): void {
  const width = Math.max(...measured.map(({ name }) => name.length));
  console.log(
    `\nprocess start → first answer, medians; goals: ${GOALS.ratio}× bare Hono, ${GOALS.megabytes} MB peak`,
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
