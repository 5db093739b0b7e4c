import { join } from 'node:path';
import { runScript } from '../processes/run-script.ts';

/** How an invocation that was not killed came out. */
export interface Finished {
  outcome: string;
  ms: number;
  /** Statements and commits. */
  steps: number;
}

/** Starts a worker (killed-worker.ts); null: it was killed. */
export async function startWorker(env: Record<string, string | undefined>): Promise<Finished | null> {
  const script = join(import.meta.dirname, 'killed-worker.ts');
  try {
    return JSON.parse(await runScript(process.execPath, [script], env));
  } catch (error) {
    if (error instanceof Error && 'signal' in error && error.signal === 'SIGKILL') return null;
    throw error;
  }
}

/** At a random time, in the middle of anything, and alternately between two steps. */
export function killSomewhere(
  finished: Finished | undefined,
  kills: number,
  upTo = 0.6,
): Record<string, string> {
  const { ms, steps } = finished ?? { ms: 0, steps: 1 };
  const share = Math.random() * upTo;
  return kills % 2 === 0 ? { KILL_AFTER: String(share * ms) } : { KILL_AT: String(Math.ceil(share * steps)) };
}
