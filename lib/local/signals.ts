const LAST_RESORT_MS = 4_700;

/**
 * Ends the process in order on SIGTERM, SIGINT and SIGHUP: `stop`, then exit 0. Whatever hangs, the process is
 * gone within 5 s (exit 1); a second signal ends it at once.
 */
export function endOnSignals(stop: () => Promise<void>): void {
  let ending = false;
  const end = (signal: NodeJS.Signals) => {
    if (ending) process.exit(1);
    ending = true;
    setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${signal}: ${error instanceof Error ? error.message : String(error)}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
}
