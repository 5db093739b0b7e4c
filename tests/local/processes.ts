import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A process of this project under test: its output so far, and how it ends. */
export interface Spawned {
  child: ChildProcess;
  output(): string;
  /** Resolves with the first line that `pattern` matches; rejects when the process ends without one. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with exit code and signal. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const running = new Set<ChildProcess>();

/** Runs a script of this repository under this Node; `env` replaces the whole environment but PATH. */
export function run(
  script: string,
  args: readonly string[] = [],
  options: { env?: Record<string, string>; cwd?: string } = {},
): Spawned {
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running.add(child);
  let text = '';
  const listeners = new Set<() => void>();
  const hear = (chunk: Buffer) => {
    text += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(child);
    for (const listener of listeners) listener();
    return { code, signal };
  });
  return {
    child,
    ended,
    output: () => text,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(text);
          if (!found && running.has(child)) return;
          listeners.delete(look);
          if (found) resolve(found);
          else reject(new Error(`the process ended without saying ${pattern}:\n${text}`));
        };
        listeners.add(look);
        look();
      }),
  };
}

/** Ends whatever a test left running, in order, so that its database ends as well. */
export async function endAll(): Promise<void> {
  const rest = [...running];
  const signalAll = (signal: NodeJS.Signals) => {
    for (const child of rest) child.kill(signal);
  };
  signalAll('SIGTERM');
  const killing = setTimeout(signalAll, 10_000, 'SIGKILL');
  await Promise.all(rest.map((child) => (child.exitCode === null ? once(child, 'close') : undefined)));
  clearTimeout(killing);
}
