import type { ListingStatus } from '../contract/fields.ts';
import type { ListingDoc, MergedTruck, Place, TruckPatch } from '../domain/listing/truck.ts';
import type { Warning } from '../domain/listing/warn.ts';
import type { StageCode, StageName } from '../errors.ts';

/**
 * The shapes that pass through the pipeline: RawRecord → Truck → Candidate → Enriched → Listing. Each stage takes a
 * whole batch and answers one outcome per item, same length and order. Types get richer stage by stage, so indexing
 * something that was not enriched does not compile.
 */

/** What a dealer sent: any JSON value that sat in the batch. */
export type RawRecord = unknown;

/** One broken rule of a record. */
export interface Issue {
  code: StageCode;
  field: string;
  /** The value as received, shortened; null when absent. */
  received: unknown;
  /** What to change, in one sentence. */
  fix: string;
}

export interface Reject {
  stage: StageName;
  code: StageCode;
  message: string;
  issues: readonly Issue[];
  retryable: boolean;
}

/** What a stage says of an item: goes on, is done without going on, or is refused. */
export type Outcome<Item, Done = never> =
  | { readonly kind: 'continue'; readonly item: Item }
  | { readonly kind: 'settled'; readonly done: Done }
  | { readonly kind: 'rejected'; readonly reject: Reject };

export const proceed = <Item>(item: Item): Outcome<Item> => ({ kind: 'continue', item });
export const settle = <Done>(done: Done): Outcome<never, Done> => ({ kind: 'settled', done });
export const refuse = (reject: Reject): Outcome<never> => ({ kind: 'rejected', reject });

/** After validate: identified, normalised, and free of contract violations. */
export interface Truck {
  /** 17 characters, upper case. */
  vin: string;
  /** Empty string when the record names no provider. */
  sourceProviderId: string;
  patch: TruckPatch;
  warnings: Warning[];
}

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
  /** Image URLs that the listing did not have before: they enter the queue with this write. */
  newImages: readonly string[];
}

/** A record that needs no write. */
export type Settled =
  | {
      kind: 'unchanged';
      listing: Pick<StoredListing, 'dedupHash' | 'status' | 'quality'>;
      warnings: Warning[];
    }
  /** Merged into an earlier record of the same batch with this hash, and shares its fate. */
  | { kind: 'folded'; dedupHash: string };
