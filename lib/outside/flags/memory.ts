import type { Clock, Flags } from '../system.ts';

/** Flags of one process: right where it is the only one. */
export function memoryFlags(clock: Clock): Flags {
  const endsAt = new Map<string, number>();
  return {
    isSet: async (name) => (endsAt.get(name) ?? 0) > clock.now(),
    async set(name, seconds) {
      endsAt.set(name, clock.now() + seconds * 1_000);
    },
  };
}

/** Where instances share nothing: no flag is ever set. */
export const noFlags: Flags = { isSet: async () => false, set: async () => undefined };
