import { LockTimeout } from '../../outside/faults.ts';
import { type Exit, type Truck, takeInOrder, toFieldReject, toRejected } from '../stage.ts';
import type { StoredListings } from './stored-listings.ts';

interface Locking {
  listings: StoredListings;
  /** Time for the whole batch, whatever other writers do; default 15 s. */
  lockDeadlineMs?: number;
}

/** Decides trucks and writes them, on listings whose rows are locked. */
type Decide = (trucks: readonly Truck[], locked: StoredListings) => Promise<Exit[]>;

/**
 * Decides the batch under row locks. If another writer locks one of its rows for too long, the batch is split until
 * only locked listings are refused, or the deadline is over.
 */
export function decideLocked(
  trucks: readonly Truck[],
  { listings, lockDeadlineMs = 15_000 }: Locking,
  decide: Decide,
): Promise<Exit[]> {
  const endsAt = performance.now() + lockDeadlineMs;
  return decideWithin(trucks, lockDeadlineMs / 3);

  async function decideWithin(part: readonly Truck[], waitMs: number): Promise<Exit[]> {
    const collisions = () =>
      part.map(({ vin }) => toRejected(vin, toFieldReject('DUPLICATE_DEDUP_HASH', 'vin')));
    if (performance.now() > endsAt) return collisions();
    const hashes = part.map(({ dedupHash }) => dedupHash);
    try {
      return await listings.lock(hashes, (locked) => decide(part, locked), Math.ceil(waitMs));
    } catch (error) {
      if (!(error instanceof LockTimeout)) throw error;
    }
    const first = splitLocked(hashes, await listings.findUnlocked(hashes));
    if (first === null) return collisions();
    const isFirst = ({ dedupHash }: Truck) => first.has(dedupHash);
    const retry = (some: readonly Truck[]) => decideWithin(some, lockDeadlineMs / 60);
    const next = takeInOrder(await retry(part.filter(isFirst)));
    const nextOther = takeInOrder(await retry(part.filter((truck) => !isFirst(truck))));
    return part.map((truck) => (isFirst(truck) ? next() : nextOther()));
  }
}

/** Returns the part to decide first: what nobody has locked, else a half. Null if nothing is left to split off. */
function splitLocked(hashes: readonly string[], unlocked: ReadonlySet<string>) {
  const all = new Set(hashes);
  if (all.size === 1 || unlocked.size === 0) return null;
  // A row that another transaction is inserting is not visible as locked.
  return unlocked.size < all.size ? unlocked : upperHalf(hashes);
}

function upperHalf(hashes: readonly string[]): ReadonlySet<string> {
  const all = [...new Set(hashes)].sort();
  return new Set(all.slice(Math.ceil(all.length / 2)));
}
