import type { OutdatedListing, RewrittenListing } from '../../inventory/port.ts';
import type { DealerPlace } from './port.ts';

/** A dealer whose address changed, and whose trucks may still stand at the old one. */
export interface MovedDealer extends DealerPlace {
  accountId: string;
  slug: string;
}

/** Has trucks follow their dealers. */
export interface DealerMoves {
  /** Null when there is no such dealer. */
  read(accountId: string, slug: string): Promise<MovedDealer | null>;
  /** The dealer's trucks, those with a place of their own too, by dedup hash behind `after`. */
  listTrucks(dealer: MovedDealer, after: string, max: number): Promise<OutdatedListing[]>;
  /** Stores their new places unless another writer was first; returns how many. */
  move(accountId: string, listings: readonly RewrittenListing[]): Promise<number>;
}
