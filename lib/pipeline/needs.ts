import type { Geocoder } from '../outside/outbound.ts';
import type { ListingDoc } from '../truck/listing/truck.ts';
import type { OnFault } from './attempt.ts';
import type { RecordSource, StoredListings } from './batch/stored-listings.ts';
import type { DecodeVins } from './vin-decoder/decode-vins.ts';

/** What holds for the records of one batch. */
export interface PipelineInput {
  /** The batch's default, beside `records`. */
  sourceProviderId?: unknown;
  /** When the records were observed; null: now, by the database's clock (a write through the API). */
  observedAt: number | null;
  /** The only dealer that the records may be of; null or absent: any. */
  dealer?: string | null;
  /** The feed that the records come from; absent: the API. */
  feedId?: string | undefined;
  /** Who sent the records, whose issues the trucks may end; absent: a sender whose issues are not kept. */
  source?: RecordSource | undefined;
  /** Decide everything, store nothing. */
  dryRun: boolean;
  /** Time for one decision under row locks, whatever other writers do; default 15 s. */
  lockDeadlineMs?: number;
  onFault?: OnFault;
}

/** What all stages need. */
export interface PipelineNeeds extends PipelineInput {
  listings: StoredListings;
  geocoder: Geocoder;
  decodeVins: DecodeVins;
  currentYear: number;
  /** Makes that also build consumer vehicles, canonical or alias. */
  dualUseMakes: readonly string[];
  /** The words that a listing is found by. */
  searchText(doc: ListingDoc): string;
  maxListingBytes: number;
}

/** `openIssues` is filled by deduplicate: keys of open issues, by the dedup hash of the truck that ends them. */
export type BatchNeeds = PipelineNeeds & { openIssues: Map<string, readonly string[]> };
