import type { OutdatedListing, RewrittenListing } from '../listings.ts';
import type { DealerPlace } from './dealers.ts';

/** A dealer whose address changed, and whose trucks may still stand at the old one. */
export interface MovedDealer extends DealerPlace {
  accountId: string;
  slug: string;
  /** Identifies the move. */
  movedAt: string;
}

/** Has trucks follow their dealers. */
export interface DealerMoves {
  /** Across all accounts, a minute after the move: by then no writer that read the old address is under way. */
  pending(): Promise<MovedDealer[]>;
  /** The dealer's trucks, those with a place of their own too, by dedup hash behind `after`. */
  listTrucks(dealer: MovedDealer, after: string, max: number): Promise<OutdatedListing[]>;
  /** Stores their new places unless another writer was first; returns how many. */
  move(accountId: string, listings: readonly RewrittenListing[]): Promise<number>;
  /** All trucks have followed, unless the dealer has moved again. */
  markFollowed(dealer: MovedDealer): Promise<void>;
}
