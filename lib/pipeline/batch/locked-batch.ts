import { LockTimeout } from '../../outside/faults.ts';
import { rejected, type TruckOutcome } from '../results.ts';
import { failed, listInOrder, type Truck, withIndex } from '../stage.ts';
import type { StoredListings } from './stored-listings.ts';

/** Trucks of one account and their dedup hashes, in order. */
export interface HashedTrucks {
  trucks: readonly Truck[];
  hashes: readonly string[];
}

export interface Locking {
  listings: StoredListings;
  /** Of the whole batch, whatever other writers do; default 15 s. */
  lockDeadlineMs?: number;
  /** Decides the trucks and writes them, on listings whose rows are locked. */
  decideAndWrite(trucks: readonly Truck[], locked: StoredListings): Promise<TruckOutcome[]>;
}

const LOCK_DEADLINE_MS = 15_000;
/** Shares of the deadline: the first wait for all rows together, and each wait after it. */
const [FIRST_WAIT, LATER_WAIT] = [1 / 3, 1 / 60];

/**
 * Once under row locks. When another writer keeps one of them for too long, the batch is split until only the listings
 * that are really locked are refused, or the deadline is over.
 */
export function decideLocked(batch: HashedTrucks, locking: Locking): Promise<TruckOutcome[]> {
  const { lockDeadlineMs = LOCK_DEADLINE_MS } = locking;
  const endsAt = performance.now() + lockDeadlineMs;
  return decideUntil(batch, locking, { endsAt, waitMs: lockDeadlineMs * FIRST_WAIT });
}

interface Deadline {
  endsAt: number;
  /** For the locks of one attempt. */
  waitMs: number;
}

async function decideUntil(
  batch: HashedTrucks,
  locking: Locking,
  { endsAt, waitMs }: Deadline,
): Promise<TruckOutcome[]> {
  const { trucks, hashes } = batch;
  const { listings, decideAndWrite } = locking;
  const collisions = () => trucks.map(({ vin }) => rejected(vin, failed('DUPLICATE_DEDUP_HASH', 'vin')));
  if (performance.now() > endsAt) return collisions();
  try {
    return await listings.lock(hashes, (locked) => decideAndWrite(trucks, locked), Math.ceil(waitMs));
  } catch (error) {
    if (!(error instanceof LockTimeout)) throw error;
  }
  const first = splitLocked(hashes, await listings.findUnlocked(hashes));
  return first === null ? collisions() : decideParts(batch, locking, first, endsAt);
}

/** Decides the trucks of these hashes, then the others. */
async function decideParts(
  { trucks, hashes }: HashedTrucks,
  locking: Locking,
  first: ReadonlySet<string>,
  endsAt: number,
): Promise<TruckOutcome[]> {
  const waitMs = (locking.lockDeadlineMs ?? LOCK_DEADLINE_MS) * LATER_WAIT;
  const outcomes = new Map<number, TruckOutcome>();
  for (const isFirst of [true, false]) {
    const part = withIndex(trucks).filter(({ index }) => first.has(hashes[index] ?? '') === isFirst);
    const hashed = {
      trucks: part.map(({ item }) => item),
      hashes: part.map(({ index }) => hashes[index] ?? ''),
    };
    const decided = await decideUntil(hashed, locking, { endsAt, waitMs });
    part.forEach(({ index }, position) => {
      outcomes.set(index, decided[position] ?? 'conflict');
    });
  }
  return listInOrder(outcomes, trucks.length);
}

/** The part to decide first: what nobody has locked, else a half. Null when nothing is left to split off. */
function splitLocked(hashes: readonly string[], unlocked: ReadonlySet<string>): ReadonlySet<string> | null {
  const all = new Set(hashes);
  if (all.size === 1 || unlocked.size === 0) return null;
  // A row that another transaction is inserting is not visible as locked.
  return unlocked.size < all.size ? unlocked : upperHalf(hashes);
}

function upperHalf(hashes: readonly string[]): ReadonlySet<string> {
  const all = [...new Set(hashes)].sort();
  return new Set(all.slice(Math.ceil(all.length / 2)));
}
