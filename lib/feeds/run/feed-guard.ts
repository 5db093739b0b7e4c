/** What a complete snapshot does not have any more. */
export interface FeedDifference {
  /** False: the file has no truck at all. */
  present: boolean;
  /** Available listings of the feed before it, counted until more of them would not matter. */
  live: number;
  /** Those of them that are missing now for the last time allowed. */
  gone: number;
}

/** So many may be delisted by any snapshot. */
const GUARD_FLOOR = 20;
/** Beyond that, this share of what the feed has for sale. */
const GUARD_SHARE = 0.3;

/** With so many available listings so many may go: counting more of them changes nothing. */
export const liveEnough = (gone: number): number => Math.ceil(gone / GUARD_SHARE) + 1;

/**
 * Whether a complete snapshot is held instead of applied: it is empty, or would delist more than max(20, 30 %) of the
 * feed's available listings.
 */
export const isHeld = ({ present, live, gone }: FeedDifference): boolean =>
  !present || gone > Math.max(GUARD_FLOOR, GUARD_SHARE * live);
