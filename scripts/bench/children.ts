import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process of its own that serves HTTP. */
export interface Served {
  origin: string;
  /** The line that names it, up to its end. */
  line: string;
  /** Resident set in MB; null where the system does not say. */
  residentMegabytes(): number | null;
  stop(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '..', '..');

/** The service in a process of its own; the docs site is not built beside what is measured. */
export const startLocalService = (env: Readonly<Record<string, string>>, file: string) =>
  startChild('lib/local/main.ts', env, file, ['--no-docs']);

/** Starts a script; the first address on its stdout is where it serves. stdout goes to `file`, as in production to a log. */
export async function startChild(
  script: string,
  env: Readonly<Record<string, string>>,
  file: string,
  args: readonly string[] = [],
): Promise<Served> {
  const output = openSync(file, 'w');
  const child = spawn(process.execPath, [resolve(ROOT, script), ...args], {
    cwd: join(file, '..'),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', output, 'inherit'],
  });
  closeSync(output);
  const orphaned = () => void child.kill('SIGKILL');
  process.once('exit', orphaned);
  child.once('exit', () => process.off('exit', orphaned));
  const { origin, line } = await awaitAddress(child, file);
  return {
    origin,
    line,
    residentMegabytes: () => readResident(child),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

async function awaitAddress(child: ChildProcess, file: string): Promise<{ origin: string; line: string }> {
  for (let waited = 0; waited < 60_000 && child.exitCode === null; waited += 2) {
    const [line, origin] = /(http:\/\/127\.0\.0\.1:\d+).*(?=\n)/.exec(readFileSync(file, 'utf8')) ?? [];
    if (line !== undefined && origin !== undefined) return { origin, line };
    await sleep(2);
  }
  child.kill('SIGKILL');
  throw new Error(`a process did not start:\n${readFileSync(file, 'utf8').slice(0, 2_000)}`);
}

function readResident(child: ChildProcess): number | null {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}
