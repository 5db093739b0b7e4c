import type { Coordinates } from '../outbound.ts';
import type { Clock } from '../system.ts';

const MAX_PLACES = 5_000;
/** What is not known is worth another question before an instance ends. */
const FORGET_UNKNOWN_MS = 3_600_000;

/** Where places are, as answered in this process; the oldest goes first. */
export function placeMemory(clock: Clock) {
  const places = new Map<string, { at: Coordinates | null; until: number }>();
  return {
    remember(place: string, at: Coordinates | null): void {
      places.delete(place);
      places.set(place, {
        at,
        until: at === null ? clock.now() + FORGET_UNKNOWN_MS : Number.POSITIVE_INFINITY,
      });
      const [oldest] = places.keys();
      if (places.size > MAX_PLACES && oldest !== undefined) places.delete(oldest);
    },
    /** Undefined: never asked, or too long ago. */
    recall(place: string): Coordinates | null | undefined {
      const known = places.get(place);
      return known !== undefined && known.until > clock.now() ? known.at : undefined;
    },
  };
}
