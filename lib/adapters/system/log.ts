import type { Clock, Log } from '../../ports.ts';

/** One JSON line per entry on stdout. */
export function stdoutLog(clock: Clock): Log {
  return {
    write: (entry) =>
      void process.stdout.write(
        `${JSON.stringify({ time: new Date(clock.now()).toISOString(), ...entry })}\n`,
      ),
  };
}

export const silentLog: Log = { write: () => undefined };
