import type { ListingStatus } from '../fields.ts';
import type { ListingDoc, MergedTruck, Place } from './truck.ts';
import type { Warning } from './warn.ts';

/** What becomes of a listing on its way to the store: what was known, what is proposed, what is written. */

/** What the store knows of a listing before this batch. `doc` is absent when the input hash is the same. */
export interface StoredListing {
  dedupHash: string;
  version: number;
  status: ListingStatus;
  /** Database time in ms since the epoch at which the stored state was observed. */
  observedAt: number;
  price: number | null;
  dealer: string | null;
  quality: { score: number; missing: string[] };
  doc: ListingDoc | null;
  /** Those of its images that are known to be dead, by URL, each with the reason; they travel with `doc`. */
  deadImages?: Readonly<Record<string, string>>;
  /** `doc` is of an older record table and has to be projected. */
  isOutdated?: boolean;
}

/** After deduplicate: merged with what is stored, and known to change something. */
export interface Candidate {
  dedupHash: string;
  inputHash: string;
  stored: StoredListing | null;
  truck: MergedTruck;
  /** Where its dealer is: its place, unless it has one of its own. */
  dealerPlace: Place | null;
  status: ListingStatus;
  observedAt: number;
  /** The feed that the record comes from; null: the API. */
  feedId: string | null;
  warnings: Warning[];
}

/** After enrich: the document to store. */
export interface Enriched extends Candidate {
  doc: ListingDoc;
  /** How many of its images are not known to be dead. */
  liveImages: number;
  /** False while its price is suspicious. */
  isInMarket: boolean;
}

/** One entry of a listing's append-only history; prices in whole dollars. */
export interface HistoryEvent {
  kind: 'created' | 'changed' | 'sold' | 'delisted' | 'relisted';
  oldPrice: number | null;
  newPrice: number | null;
}

/** What the index writes for one listing: the listing, its history, and the text it is found by. */
export interface ListingChange {
  enriched: Enriched;
  events: HistoryEvent[];
  words: string;
  /** Images that the listing did not have before enter the queue with this write. */
  hasNewImages: boolean;
}
