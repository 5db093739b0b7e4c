import type { Clock, Log } from '../outside/system.ts';
import type { Limiter } from './limits.ts';

/** After a failure Redis is asked by one call in this time; all others are answered locally. */
const RETRY_MS = 1_000;

/**
 * The remote limiter while it answers, the local one otherwise; never throws for the remote's sake. What the remote
 * admits is written down locally too, so that the local limiter knows it when it takes over.
 */
export function guardedLimiter(
  remote: Omit<Limiter, 'local'>,
  local: Limiter,
  { clock, log }: { clock: Clock; log: Log },
): Limiter {
  let isOpen = false;
  let triedAt = 0;

  function setOpen(open: boolean, reason?: string): void {
    if (open !== isOpen) log.write({ level: 'warn', event: 'limiter_breaker', open, reason });
    isOpen = open;
  }

  return {
    get local() {
      return isOpen;
    },
    async take(quota, subject) {
      if (isOpen && Math.abs(clock.now() - triedAt) < RETRY_MS) return local.take(quota, subject);
      triedAt = clock.now();
      try {
        const verdict = await remote.take(quota, subject);
        setOpen(false);
        if (verdict.allowed) await local.take(quota, subject);
        return verdict;
      } catch (error) {
        setOpen(true, describeFailure(error));
        return local.take(quota, subject);
      }
    },
    ping: () => remote.ping(),
  };
}

/** Without the command, which the client appends to what Redis said: it names the subject. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = error.cause instanceof Error && 'code' in error.cause ? ` (${String(error.cause.code)})` : '';
  return `${error.message.split(', command was: ')[0]?.slice(0, 120)}${code}`;
}
