import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundleFunction } from '../build.ts';

/** From process start to the first answer, each function in fresh processes, beside a bare bundled Hono function. */

export const GOALS = { ratio: 1.5, megabytes: 80 } as const;
const REPETITIONS = 9;
const ROUNDS = 6;

/** Like production, but nothing behind it answers: a first answer must not wait for a database. */
const ENVIRONMENT = {
  VERCEL: '1',
  VERCEL_ENV: 'production',
  NODE_ENV: 'production',
  POSTGRES_URL: 'postgres://nobody:nothing@127.0.0.1:1/none',
  UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:1',
  UPSTASH_REDIS_REST_TOKEN: 'token-of-the-cold-start-check',
  ADMIN_TOKEN: 'operator-of-the-cold-start-check',
  CRON_SECRET: 'cron-of-the-cold-start-check',
  FEED_SECRET_KEY: Buffer.alloc(32).toString('base64'),
  SUPPORT_EMAIL: 'support@example.com',
  SALES_EMAIL: 'sales@example.com',
};

/** Plain JavaScript: stripping types would be measured too. The answer's line is told from log lines by its mark. */
const MARK = '@answer ';
const RUNNER = `
import { readFileSync } from 'node:fs';
const [, file, path] = process.argv;
let exported = await import(file);
for (let depth = 0; depth < 5 && exported.default; depth++) exported = exported.default;
const { fetch } = exported;
const response = await fetch(new Request('http://127.0.0.1' + path));
const body = await response.text();
const ms = performance.now();
const peak = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
const requestId = response.headers.get('x-request-id');
const answer = { ms, megabytes: Number(peak[1]) / 1024, status: response.status, requestId, body };
process.stdout.write('\\n${MARK}' + JSON.stringify(answer) + '\\n', () => process.exit(0));
`;

const BARE = `
import { Hono } from 'hono';
const app = new Hono();
app.all('*', (context) => context.json({ ok: true }));
export default app;
`;

/** `folder` is the function as deployed; `path` is what it is asked for, by GET and without credentials. */
export interface Candidate {
  name: string;
  folder: string;
  handler: string;
  path: string;
}

export interface FirstAnswer {
  /** Since the process started. */
  ms: number;
  /** Peak resident memory. */
  megabytes: number;
  status: number;
  requestId: string | null;
  body: string;
}

/** Medians; `ratio` is against the bare function's median of the same round. */
export interface Measurement {
  name: string;
  ms: number;
  bareMs: number;
  ratio: number;
  megabytes: number;
  rounds: number;
  answer: FirstAnswer;
}

/** Builds the bare function below `folder` with the same bundler; its packages are those of `root`. */
export async function bareFunction(root: string, folder: string): Promise<Candidate> {
  await mkdir(join(folder, 'api'), { recursive: true });
  await writeFile(join(folder, 'api/bare.ts'), BARE);
  const [bundle] = await bundleFunction(folder, 'api/bare.ts', [join(root, 'node_modules')]);
  await writeFile(join(folder, 'api/bare.js'), bundle?.text ?? '');
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  return { name: 'bare Hono', folder, handler: 'api/bare.js', path: '/api/bare' };
}

/**
 * Measures each candidate, its runs interleaved with the bare function's. One over the goals on a noisy machine is
 * measured again, at most six rounds in all; its best round counts.
 */
export async function measure(candidates: readonly Candidate[], bare: Candidate): Promise<Measurement[]> {
  const results: Measurement[] = [];
  for (const candidate of candidates) {
    let best = await round(candidate, bare);
    for (let rounds = 2; rounds <= ROUNDS && !withinGoals(best); rounds++) {
      const again = await round(candidate, bare);
      best = { ...(again.ratio < best.ratio ? again : best), rounds };
    }
    results.push(best);
  }
  return results;
}

/** What a busy machine may add to the ratio before the check fails; a missed goal is always told. */
const NOISE = 1.1;

/** Over the goal by more than the machine's noise explains, or over the memory goal. */
export function isFault({ ratio, megabytes }: Pick<Measurement, 'ratio' | 'megabytes'>): boolean {
  return ratio > GOALS.ratio * NOISE || megabytes > GOALS.megabytes;
}

export function withinGoals({ ratio, megabytes }: Pick<Measurement, 'ratio' | 'megabytes'>): boolean {
  return ratio <= GOALS.ratio && megabytes <= GOALS.megabytes;
}

async function round(candidate: Candidate, bare: Candidate): Promise<Measurement> {
  const own: FirstAnswer[] = [];
  const others: FirstAnswer[] = [];
  // The first pair only warms the file cache.
  for (let repetition = 0; repetition <= REPETITIONS; repetition++) {
    const pair = { bare: await coldStart(bare), own: await coldStart(candidate) };
    if (repetition === 0) continue;
    others.push(pair.bare);
    own.push(pair.own);
  }
  const [answer] = own;
  if (!answer) throw new Error('nothing was measured');
  const ms = median(own.map((one) => one.ms));
  const bareMs = median(others.map((one) => one.ms));
  const megabytes = median(own.map((one) => one.megabytes));
  return { name: candidate.name, ms, bareMs, ratio: ms / bareMs, megabytes, rounds: 1, answer };
}

/** One fresh process, one answer. Throws with the function's words when it does not answer. */
export async function coldStart({ name, folder, handler, path }: Candidate): Promise<FirstAnswer> {
  const url = pathToFileURL(join(folder, handler)).href;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', RUNNER, url, path],
    { cwd: folder, env: { PATH: process.env.PATH, ...ENVIRONMENT }, timeout: 30_000 },
  );
  const line = stdout.split('\n').findLast((one) => one.startsWith(MARK));
  if (!line) throw new Error(`${name} gave no answer:\n${stdout}\n${stderr}`);
  return JSON.parse(line.slice(MARK.length)) as FirstAnswer;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
