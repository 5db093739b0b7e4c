import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';

/** Debian's Firefox (firefox-esr) over WebDriver BiDi: Playwright drives only a Firefox of its own. Skipped where there is none. */
const EXECUTABLE = process.env.FIREFOX ?? '/usr/bin/firefox-esr';

export const hasFirefox = existsSync(EXECUTABLE);

export interface Firefox {
  goTo(url: string): Promise<void>;
  /** Runs an expression in the page, waits for its promise, and returns a string, number or boolean. */
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

export async function startFirefox(): Promise<Firefox> {
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'));
  const child = spawn(
    EXECUTABLE,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile } },
  );
  const socket = new WebSocket(`${await readAddress(child)}/session`);
  await once(socket, 'open');
  const call = createCalls(socket);
  await call('session.new', { capabilities: {} });
  const { contexts } = await call('browsingContext.getTree', {});
  const { context } = contexts[0];
  return {
    async goTo(url) {
      await call('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async evaluate(expression) {
      const params = { expression, target: { context }, awaitPromise: true, userActivation: true };
      const { result, exceptionDetails } = await call('script.evaluate', params);
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return result.value;
    },
    async close() {
      socket.terminate();
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function readAddress({ stderr }: ChildProcess): Promise<string> {
  if (stderr)
    for await (const line of createInterface(stderr)) {
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
      if (address) return address;
    }
  throw new Error('Firefox did not start');
}

function createCalls(socket: WebSocket) {
  let serial = 0;
  // biome-ignore lint/suspicious/noExplicitAny: the protocol's answers have every shape
  const open = new Map<number, { resolve(value: any): void; reject(error: Error): void }>();
  socket.on('message', (data) => {
    const { id, result, error, message } = JSON.parse(String(data));
    if (error) open.get(id)?.reject(new Error(`${error}: ${message}`));
    else open.get(id)?.resolve(result);
    open.delete(id);
  });
  // biome-ignore lint/suspicious/noExplicitAny: the same
  return (method: string, params: object): Promise<any> => {
    serial += 1;
    const id = serial;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => open.set(id, { resolve, reject }));
  };
}
