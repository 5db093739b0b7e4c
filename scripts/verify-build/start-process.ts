import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** A deployed function in a fresh process: one request, one answer, and what both cost. */

/** `folder` is the function as deployed. */
export interface DeployedFunction {
  name: string;
  folder: string;
  handler: string;
}

/** What one process is asked for; members but `path` are those of fetch. */
export interface FirstRequest {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
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

/** Production's environment around the database at `postgresUrl`; nothing answers behind the other addresses. */
const environment = (postgresUrl: string) => ({
  VERCEL: '1',
  VERCEL_ENV: 'production',
  NODE_ENV: 'production',
  POSTGRES_URL: postgresUrl,
  UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:1',
  UPSTASH_REDIS_REST_TOKEN: 'token-of-the-cold-start-check',
  ADMIN_TOKEN: OPERATOR,
  CRON_SECRET: 'cron-secret-of-the-cold-start-check',
  FEED_SECRET_KEY: Buffer.alloc(32).toString('base64'),
  SUPPORT_EMAIL: 'support@example.com',
  SALES_EMAIL: 'sales@example.com',
});

export const OPERATOR = 'operator-of-the-cold-start-check';

/** Plain JavaScript: stripping types would be measured too. The mark distinguishes the answer's line from log lines. */
const MARK = '@answer ';
const RUNNER = `
import { readFileSync } from 'node:fs';
const [, file, asked] = process.argv;
const { path, ...init } = JSON.parse(asked);
let exported = await import(file);
for (let depth = 0; depth < 5 && exported.default; depth++) exported = exported.default;
const { fetch } = exported;
const response = await fetch(new Request('http://127.0.0.1' + path, init));
const body = await response.text();
const ms = performance.now();
const peak = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
const requestId = response.headers.get('x-request-id');
const answer = { ms, megabytes: Number(peak[1]) / 1024, status: response.status, requestId, body };
process.stdout.write('\\n${MARK}' + JSON.stringify(answer) + '\\n', () => process.exit(0));
`;

/** Asks `deployed` in a process of its own. Throws with the function's words when it does not answer. */
export async function startProcess(
  { name, folder, handler }: DeployedFunction,
  request: FirstRequest,
  postgresUrl: string,
): Promise<FirstAnswer> {
  const url = pathToFileURL(join(folder, handler)).href;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', RUNNER, url, JSON.stringify(request)],
    { cwd: folder, env: { PATH: process.env.PATH, ...environment(postgresUrl) }, timeout: 30_000 },
  );
  const line = stdout.split('\n').findLast((one) => one.startsWith(MARK));
  if (!line) throw new Error(`${name} gave no answer:\n${stdout}\n${stderr}`);
  return JSON.parse(line.slice(MARK.length)) as FirstAnswer;
}
