import type { Clock, Log } from '../../ports.ts';

/** The system's calls to write lines cost more than answering: what one turn of the event loop logs leaves together. */
let waiting = '';

function flush(): void {
  const text = waiting;
  waiting = '';
  if (text !== '') process.stdout.write(text);
}

function writeWithTurn(line: string): void {
  if (waiting === '') setImmediate(flush);
  waiting += line;
}

/**
 * One JSON line per entry on stdout. `turn`: lines leave at the end of the event loop's turn, before the process ends
 * in any case; `line`: each at once, for a platform that may freeze the process as soon as it has answered.
 */
export function stdoutLog(clock: Clock, pace: 'line' | 'turn' = 'line'): Log {
  if (pace === 'turn' && !process.listeners('exit').includes(flush)) process.on('exit', flush);
  const write = pace === 'turn' ? writeWithTurn : (line: string) => void process.stdout.write(line);
  return {
    write: (entry) => write(`${JSON.stringify({ time: new Date(clock.now()).toISOString(), ...entry })}\n`),
  };
}

export const silentLog: Log = { write: () => undefined };
