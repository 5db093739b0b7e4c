const TICK_MS = 5;

/**
 * Measures how long this thread works before others have their turn, in ms of its own time: a busy machine, which lets
 * the whole process wait, does not count. Returns what ends the measuring and answers the longest stretch.
 */
export function measureStretches(): () => number {
  let longestMs = 0;
  let before = process.threadCpuUsage();
  const tick = () => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (user + system) / 1_000);
  };
  const timer = setInterval(tick, TICK_MS);
  return () => {
    clearInterval(timer);
    tick();
    return longestMs;
  };
}
