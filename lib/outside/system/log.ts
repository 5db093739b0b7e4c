import type { Clock, Log } from '../system.ts';

/** Writing a line costs a tenth of an answer, so the lines of a moment are written together. */
const MOMENT_MS = 10;
let buffer = '';

function flush(): void {
  const text = buffer;
  buffer = '';
  if (text !== '') process.stdout.write(text);
}

function writeWithMoment(line: string): void {
  if (buffer === '') setTimeout(flush, MOMENT_MS).unref();
  buffer += line;
}

/**
 * One JSON line per entry: errors on stderr at once, all else on stdout. `moment`: lines leave within 10 ms, before the process ends in any case; `line`:
 * each at once, for a platform that may freeze the process as soon as it has answered.
 */
export function stdoutLog(clock: Clock, pace: 'line' | 'moment'): Log {
  if (pace === 'moment' && !process.listeners('exit').includes(flush)) process.on('exit', flush);
  const write = pace === 'moment' ? writeWithMoment : (line: string) => void process.stdout.write(line);
  return {
    write(entry) {
      const line = `${JSON.stringify({ time: new Date(clock.now()).toISOString(), ...entry })}\n`;
      if (entry.level === 'error') process.stderr.write(line);
      else write(line);
    },
  };
}

export const silentLog: Log = { write: () => undefined };
