import { memoryLimiter } from '../../../lib/limiter/memory.ts';
import type { Ports } from '../../../lib/ports.ts';

/** Limits by a clock that stands still: however slow the machine, no call of a test leaves the window. */
export function stoppedLimits(): Pick<Ports, 'limiter' | 'localLimiter'> {
  const limiter = memoryLimiter({ now: () => 0 });
  return { limiter, localLimiter: limiter };
}
