import type { FieldName, ListingStatus, TruckFields } from '../contract/fields.ts';

/** Something worth telling the dealer that did not stop the record. */
export interface Warning {
  code: string;
  field: string;
  message: string;
}

/** Place of a truck as its dealer gives it. */
export interface Place {
  city: string | null;
  state: string | null;
  zip: string | null;
  latitude: number | null;
  longitude: number | null;
}

/** JSON values of fields the service does not know, kept under `attributes`. */
export type Attributes = Record<string, unknown>;

/**
 * The normalised content of one record as sent: an absent key leaves what is stored, null clears it.
 * Text is trimmed and well formed; integers are whole and finite.
 */
export interface TruckPatch {
  fields: Partial<TruckFields>;
  place?: Partial<Place> | null;
  /** Image URLs in order. */
  images?: string[] | null;
  attributes?: Attributes;
  /** Status asked for by the record itself. */
  status?: ListingStatus;
  /** Dealer slug asked for by the record itself. */
  dealer?: string;
}

/** The whole truck after merging with what is stored; every field present, null where unknown. */
export interface MergedTruck {
  vin: string;
  sourceProviderId: string;
  fields: TruckFields;
  place: Place | null;
  images: string[];
  attributes: Attributes;
  dealer: string | null;
}

/** VIN facts known without any look-up. */
export interface VinFacts {
  wmi: string;
  check_digit: 'valid' | 'invalid';
  /** Model years the tenth character may stand for, oldest first. */
  model_years: number[];
}

export interface Quality {
  /** 0 to 100. */
  score: number;
  missing: string[];
}

/** A place with coordinates and where they come from. */
export interface Location extends Place {
  source: 'record' | 'zip' | 'city' | 'none';
}

/** The stored wire document of a listing: all of the record that only a post can change. */
export interface ListingDoc extends TruckFields {
  vin: string;
  source_provider_id: string | null;
  dedup_hash: string;
  dealer: string | null;
  location: Location | null;
  vin_facts: VinFacts;
  quality: Quality;
  attributes: Attributes;
  /** What the service derived rather than received; it is recomputed on every change. */
  derived: DerivedName[];
  /** URLs in order. What became of them is kept beside the listings, so that nothing fetched is lost in a merge. */
  images: string[];
}

/** A field, or a member of `location` that was filled from the ZIP code. */
export type DerivedName = FieldName | 'city' | 'state';
