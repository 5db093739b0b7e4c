/** A server that drips keeps a worker for the whole of its time; below this rate, over a window, it is cut off. */
const WINDOW_MS = 20_000;
const MIN_BYTES_PER_SECOND = 10_000;

/** Makes the check of one transfer: takes the bytes so far, returns true once they come too slowly. */
export function transferCheck(now: () => number = () => performance.now()): (bytes: number) => boolean {
  let start = now();
  let bytesAtStart = 0;
  return (bytes) => {
    const elapsedMs = now() - start;
    if (elapsedMs < WINDOW_MS) return false;
    const isTooSlow = ((bytes - bytesAtStart) * 1_000) / elapsedMs < MIN_BYTES_PER_SECOND;
    start += elapsedMs;
    bytesAtStart = bytes;
    return isTooSlow;
  };
}

const LOOK_EVERY_MS = 1_000;

/** Calls `act` once a transfer is too slow, also while nothing comes at all. Returns what ends the watch. */
export function onceTooSlow(countBytes: () => number, act: () => void): () => void {
  const isTooSlow = transferCheck();
  const watch = setInterval(() => {
    if (!isTooSlow(countBytes())) return;
    clearInterval(watch);
    act();
  }, LOOK_EVERY_MS);
  return () => clearInterval(watch);
}
