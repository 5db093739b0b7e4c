import type { ListingStatus } from '../fields.ts';
import type { ListingDoc, MergedTruck, Place } from './truck.ts';
import type { Warning } from './warn.ts';

/** A listing on its way to the store: as stored, as a candidate, as enriched, and as a change to write. */

/** A listing as it was stored before this batch. `doc` is absent if the input hash is unchanged. */
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
  /** Reasons of the failed images of `doc`, by URL. */
  deadImages?: Readonly<Record<string, string>>;
  /** `doc` is of an older record table and has to be projected. */
  isOutdated?: boolean;
}

/** After deduplicate: merged with the stored listing, which it changes. */
export interface Candidate {
  dedupHash: string;
  inputHash: string;
  stored: StoredListing | null;
  truck: MergedTruck;
  /** The dealer's place, which counts if the truck has none of its own. */
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
  /** How many of its images have not failed. */
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

/** The rows that the index stage writes for one listing: the listing, its history, and its search text. */
export interface ListingChange {
  enriched: Enriched;
  events: HistoryEvent[];
  words: string;
  /** True if the listing has new images, which enter the queue with this write. */
  hasNewImages: boolean;
}
