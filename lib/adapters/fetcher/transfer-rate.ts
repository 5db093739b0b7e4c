/** A server that drips keeps a worker for the whole of its time; below this rate, over a window, it is cut off. */
const WINDOW_MS = 20_000;
const MIN_BYTES_PER_SECOND = 10_000;

/** Makes the check of one transfer: takes the bytes so far, returns true once they come too slowly. */
export function transferCheck(now: () => number = () => performance.now()): (bytes: number) => boolean {
  let start = now();
  let before = 0;
  return (bytes) => {
    const elapsedMs = now() - start;
    if (elapsedMs < WINDOW_MS) return false;
    const isTooSlow = ((bytes - before) * 1_000) / elapsedMs < MIN_BYTES_PER_SECOND;
    start += elapsedMs;
    before = bytes;
    return isTooSlow;
  };
}
