import type { Ports } from '../ports.ts';

/**
 * Lets a database that is paid for by the hour sleep. Two flags that all instances share say when its queues need not be
 * asked: they were empty, and nothing was written since. Work that a writer queues starts right after its answer; what asks
 * is the job that finds what was cut off or waits for its time.
 */
const NOTHING_DUE = 'nothing-due';
const WRITTEN_LATELY = 'written-lately';

/** Longer than a function runs: what it queues at its very end is found. */
const AWAKE_SECONDS = 360;
/** Well below that, so that no write goes unnoticed between two marks of a process. */
const MARK_INTERVAL_MS = 60_000;

type FlagPorts = Pick<Ports, 'flags'>;
const markedMs = new WeakMap<Ports['flags'], number>();

/** After a response: what was written may have queued work. Marked once a minute in a process. */
export function keepAwakeAfterWrite({
  flags,
  clock,
  background,
}: Pick<Ports, 'flags' | 'clock' | 'background'>) {
  const now = clock.now();
  if (now - (markedMs.get(flags) ?? Number.NEGATIVE_INFINITY) < MARK_INTERVAL_MS) return;
  markedMs.set(flags, now);
  background.run(keepAwake({ flags }));
}

/** The queues are asked every minute again. A flag that cannot be set costs statements, never work. */
export const keepAwake = ({ flags }: FlagPorts) =>
  flags.set(WRITTEN_LATELY, AWAKE_SECONDS).catch(() => undefined);

/** Nothing is due for so long, unless something is written meanwhile. */
export const letSleep = ({ flags }: FlagPorts, seconds: number) =>
  flags.set(NOTHING_DUE, seconds).catch(() => undefined);

/** A flag that cannot be read is none. */
export async function maySleep({ flags }: FlagPorts) {
  const flagReads = [flags.isSet(NOTHING_DUE), flags.isSet(WRITTEN_LATELY)];
  const [isNothingDue, isWritten] = await Promise.all(flagReads).catch(() => []);
  return isNothingDue === true && isWritten === false;
}
