/** So many may be delisted by any snapshot. */
export const GUARD_FLOOR = 20;
/** Beyond that, this share of what the feed has for sale. */
const GUARD_SHARE = 0.3;

/** With so many available listings so many may go: counting more of them changes nothing. */
export const liveEnough = (gone: number): number => Math.ceil(gone / GUARD_SHARE) + 1;

/**
 * Whether a complete snapshot is held instead of applied: it is empty, or would delist more than max(20, 30 %) of the
 * feed's available listings. `live` may be null when `gone` is within the floor, and is enough at
 * `liveEnough(gone)`.
 */
export function isHeld({
  present,
  live,
  gone,
}: {
  present: number;
  live: number | null;
  gone: number;
}): boolean {
  if (present === 0) return true;
  return gone > Math.max(GUARD_FLOOR, GUARD_SHARE * (live ?? 0));
}
