import { join } from 'node:path';
import { bundleFunction, writeBundle } from '../build.ts';
import { type DeployedFunction, type FirstAnswer, type FirstRequest, startProcess } from './start-process.ts';

/** From process start to the first useful answer, in fresh processes, beside a bare bundled Hono with pg. */

const REPETITIONS = 9;

/** One plain query, as GET by VIN asks it: no authentication, limits, request id or log. */
const BARE = `
import { Hono } from 'hono';
import pg from 'pg';
const pool = new pg.Pool({ connectionString: process.env.POSTGRES_URL, max: 5 });
const app = new Hono();
app.all('*', async (context) => {
  const { rows } = await pool.query('select doc from listings where vin = $1', [context.req.query('vin')]);
  return context.json(rows.map(({ doc }) => doc));
});
export default app;
`;

/** Medians. */
export interface Measurement {
  name: string;
  ms: number;
  bareMs: number;
  megabytes: number;
  answer: FirstAnswer;
}

/** A function, and how it is asked. */
export interface Candidate {
  deployed: DeployedFunction;
  request: FirstRequest;
}

/** Builds the bare function below `folder` with the same bundler; its packages are those of `root`. */
export async function bareFunction(root: string, folder: string): Promise<DeployedFunction> {
  await writeBundle(folder, [
    { path: 'package.json', text: '{"type":"module"}' },
    { path: 'api/bare.js', text: BARE },
  ]);
  const bundle = await bundleFunction(folder, 'api/bare.js', [join(root, 'node_modules')]);
  await writeBundle(folder, bundle);
  return { name: 'bare Hono with pg', folder, handler: 'api/bare.js' };
}

/** Measures a candidate, its runs interleaved with those of `bare`. */
export async function measure(
  candidate: Candidate,
  bare: Candidate,
  postgresUrl: string,
): Promise<Measurement> {
  const serviceAnswers: FirstAnswer[] = [];
  const others: FirstAnswer[] = [];
  const start = ({ deployed, request }: Candidate) => startProcess(deployed, request, postgresUrl);
  // The first pair only warms the file cache.
  for (let repetition = 0; repetition <= REPETITIONS; repetition++) {
    const pair = [await start(bare), await start(candidate)] as const;
    if (repetition === 0) continue;
    others.push(pair[0]);
    serviceAnswers.push(pair[1]);
  }
  const [answer] = serviceAnswers;
  if (!answer) throw new Error('nothing was measured');
  const { method = 'GET', path } = candidate.request;
  return {
    name: `${method} ${path}`,
    ms: median(serviceAnswers.map(({ ms }) => ms)),
    bareMs: median(others.map(({ ms }) => ms)),
    megabytes: median(serviceAnswers.map(({ megabytes }) => megabytes)),
    answer,
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
