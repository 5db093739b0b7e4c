import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const processes = new Set<ChildProcess>();

/** What `npm start` prints once it serves. */
export const BANNER = /(http:\/\/127\.0\.0\.1:\d+)\n[\s\S]*Stop/;

/** Runs a script of this repository under this Node; `env` replaces the whole environment but PATH. */
export const run = (script: string, args: readonly string[] = [], options: Options = {}) =>
  runCommand(process.execPath, [script, ...args], options);

interface Options {
  env?: Record<string, string>;
  cwd?: string;
}

/** A process under test: its output so far, and how it ends. */
export function runCommand(command: string, args: readonly string[], { env, ...options }: Options) {
  const child = spawn(command, args, { ...options, env: { PATH: process.env.PATH, ...env } });
  processes.add(child);
  let text = '';
  const listeners = new Set<() => void>();
  const hear = (chunk = '') => {
    text += chunk;
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  return {
    child,
    /** Resolves with exit code and signal. */
    exit: once(child, 'close').then(([code, signal]) => {
      processes.delete(child);
      hear();
      return { code, signal };
    }),
    output: () => text,
    /** Resolves with the first match of `pattern`; rejects when the process ends without one. */
    waitForOutput: (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(text);
          if (match) resolve(match);
          else if (!processes.has(child))
            reject(new Error(`the process ended without saying ${pattern}:\n${text}`));
        };
        listeners.add(look);
        look();
      }),
  };
}

/** Ends whatever a test left running, in order, so that its database ends as well. */
export async function endAll(): Promise<void> {
  const rest = [...processes];
  const signalAll = (signal: NodeJS.Signals) => {
    for (const child of rest) child.kill(signal);
  };
  signalAll('SIGTERM');
  const killing = setTimeout(signalAll, 10_000, 'SIGKILL');
  await Promise.all(rest.map((child) => (child.exitCode === null ? once(child, 'close') : undefined)));
  clearTimeout(killing);
}

/** A folder of the test's own, which goes when the test and its processes have ended. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ctis-local-'));
  // The database's user has to get through where root runs the tests.
  await chmod(folder, 0o755);
  onTestFinished(async () => {
    await endAll();
    await rm(folder, { recursive: true });
  });
  return folder;
}

/** An answer's status and JSON; POST where there is a body. */
export async function ask(url: string, token: string, body?: object) {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: await response.json() };
}
