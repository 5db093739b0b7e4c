import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** How an invocation that was not killed came out. */
export interface Finished {
  outcome: string;
  ms: number;
  /** Statements and commits. */
  steps: number;
}

/** Starts a worker (killed-worker.ts); null: it was killed. */
export function startWorker(env: Record<string, string | undefined>): Promise<Finished | null> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'killed-worker.ts')], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(null);
      else if (code === 0) resolve(JSON.parse(output));
      else reject(new Error(`the worker ended with ${code}`));
    });
  });
}

/** At a random time, in the middle of anything, and alternately between two steps. */
export function killSomewhere(
  whole: Finished | undefined,
  kills: number,
  upTo = 0.6,
): Record<string, string> {
  const { ms, steps } = whole ?? { ms: 0, steps: 1 };
  const share = Math.random() * upTo;
  return kills % 2 === 0 ? { KILL_AFTER: String(share * ms) } : { KILL_AT: String(Math.ceil(share * steps)) };
}
