// Fails without it: outages.test.ts, "silence on a warm connection is DatabaseDown"; blocked-loop.test.ts.
import { DatabaseDown } from './sql.ts';

/** A timer that fires later than this shows that the event loop was blocked, or the instance frozen. */
export const MAX_LATENESS_MS = 50;
/** Time for the rest of an answer whose beginning waited in the socket while the loop was blocked. */
const GRACE_MS = 250;

/** `work`, or `DatabaseDown` when it takes longer. The work itself goes on: its owner has to abandon it. */
export function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = callAfter(timeoutMs, () => reject(new DatabaseDown(new Timeout(timeoutMs))));
    work.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}

/**
 * Calls back once the time is over and what arrived in time was read: the event loop runs timers before it reads sockets,
 * so that after a pause a timer would hide the answer that lies in one.
 */
function callAfter(timeoutMs: number, callback: () => void): () => void {
  const dueAt = performance.now() + timeoutMs;
  const readThenCall = () => setImmediate(callback);
  let timer = setTimeout(() => {
    const wasBlocked = performance.now() - dueAt > MAX_LATENESS_MS;
    if (wasBlocked) timer = setTimeout(readThenCall, GRACE_MS);
    else readThenCall();
  }, timeoutMs);
  return () => clearTimeout(timer);
}

class Timeout extends Error {
  override name = 'Timeout';

  constructor(timeoutMs: number) {
    super(`no answer within ${Math.round(timeoutMs)} ms`);
  }
}
