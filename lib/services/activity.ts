import type { Ports } from '../ports/ports.ts';

/**
 * Lets a database that is paid for by the hour sleep. Two flags that all instances share say when its queues need not be
 * asked: they were empty, and nothing was written since. Work that a writer queues starts right after its answer; what asks
 * is the job that finds what was cut off or waits for its time.
 */
const QUIET = 'nothing-due';
const ACTIVE = 'written-lately';

/** Longer than a function runs: what it queues at its very end is found. */
const ACTIVE_SECONDS = 360;
/** Well below that, so that no write goes unnoticed between two marks of a process. */
const MARK_EVERY_MS = 60_000;

type Flagged = Pick<Ports, 'flags'>;
const markedMs = new WeakMap<Ports['flags'], number>();

/** Notes, after an answer, that something was written which may have queued work. */
export function markActive({
  flags,
  clock,
  background,
}: Pick<Ports, 'flags' | 'clock' | 'background'>): void {
  const now = clock.now();
  if (now - (markedMs.get(flags) ?? Number.NEGATIVE_INFINITY) < MARK_EVERY_MS) return;
  markedMs.set(flags, now);
  background.run(flagActive({ flags }));
}

/** A flag that cannot be set costs statements, never work. */
const setFlag = ({ flags }: Flagged, name: string, seconds: number): Promise<void> =>
  flags.set(name, seconds).catch(() => undefined);

export const flagActive = (ports: Flagged): Promise<void> => setFlag(ports, ACTIVE, ACTIVE_SECONDS);

/** Nothing is due for so long, unless something is written meanwhile. */
export const markQuiet = (ports: Flagged, seconds: number): Promise<void> => setFlag(ports, QUIET, seconds);

/** A flag that cannot be read is none. */
export async function isQuiet({ flags }: Flagged): Promise<boolean> {
  try {
    const [quiet, active] = await Promise.all([flags.isSet(QUIET), flags.isSet(ACTIVE)]);
    return quiet && !active;
  } catch {
    return false;
  }
}
