/** The other side did not answer in time. */
class TimedOut extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
    this.name = 'TimedOut';
  }
}

/**
 * Calls `onTimeout` after `ms`. A stalled event loop runs timers before it reads sockets, so the sockets get one more
 * turn first: an answer that is already here counts. Never keeps the process alive.
 */
function startTimer(ms: number, onTimeout: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(onTimeout), ms).unref();
}

/** Returns what `work` returns; rejects with `TimedOut` if it has not settled after `ms`. */
export function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = startTimer(ms, () => reject(new TimedOut(ms)));
    const settled = () => clearTimeout(timer);
    work().then(resolve, reject).finally(settled);
  });
}

/** A signal that aborts with `TimedOut` after `ms`. */
export function abortAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  startTimer(ms, () => controller.abort(new TimedOut(ms)));
  return controller.signal;
}
