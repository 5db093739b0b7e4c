import type { ListingStatus } from '../fields.ts';
import type { Country } from '../place/countries.ts';
import type { FieldName, TruckFields } from '../record/record.ts';

/** Place of a truck as its dealer gives it. */
export interface Place {
  city: string | null;
  state: string | null;
  zip: string | null;
  /** Only if the record names it; findCountry also reads the state. */
  country: Country | null;
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
  attributes?: Attributes | null;
  /** Status that the record asks for. */
  status?: ListingStatus;
  /** Dealer slug that the record asks for; null removes the dealer. */
  dealer?: string | null;
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

export type VinVehicleType =
  | 'truck'
  | 'bus'
  | 'incomplete_vehicle'
  | 'multipurpose_passenger_vehicle'
  | 'passenger_car';

/** Facts of a VIN from the manufacturers' tables; null where they have none. */
export interface VinDecoded {
  /** Canonical spelling. */
  make: string | null;
  model: string | null;
  series: string | null;
  year: number | null;
  /** Model years that position 10 may stand for at this maker, oldest first. */
  years_possible: number[];
  vehicle_type: VinVehicleType;
  /** `class_1` to `class_8`; null also where GVWR spans classes. */
  truck_class: `class_${number}` | null;
  /** lb; the bounds of the class or classes. */
  gvwr_min: number | null;
  /** lb; null also for Class 8, which has no upper bound. */
  gvwr_max: number | null;
  /** Canonical name; null for consumer bodies and where "truck" or "incomplete" is all that is known. */
  body_type: string | null;
  cab: string | null;
  /** Wheels by driven wheels, `6x4`. */
  drivetrain: string | null;
  /** Maker and model, or maker and displacement: `Cummins ISB`, `Ford 6.7L`. */
  engine: string | null;
  engine_make: string | null;
  engine_model: string | null;
  displacement_l: number | null;
  cylinders: number | null;
  /** Only where the VIN names one rating. */
  horsepower: number | null;
  fuel_type: string | null;
  /** The company that holds the manufacturer identifier. */
  manufacturer: string | null;
  plant_country: string | null;
}

type OrNull<T> = { [Name in keyof T]: T[Name] | null };

/** On the wire: facts of the VIN itself, and what it decodes to; null where the tables have none. */
export interface VinFacts extends OrNull<Omit<VinDecoded, 'years_possible'>> {
  wmi: string;
  check_digit: 'valid' | 'invalid';
  /** Model years the tenth character may stand for, oldest first; those of the maker where it is known. */
  model_years: number[];
}

export interface Quality {
  /** 0 to 100. */
  score: number;
  missing: string[];
}

/** A place and where its coordinates come from; with `dealer` the whole place is the dealer's. */
export interface Location extends Place {
  source: 'record' | 'zip' | 'city' | 'geocoder' | 'dealer' | 'none';
}

/** The stored wire document of a listing: everything that only a post can change. */
export interface ListingDoc extends TruckFields {
  vin: string;
  source_provider_id: string | null;
  dedup_hash: string;
  dealer: string | null;
  location: Location | null;
  vin_facts: VinFacts;
  quality: Quality;
  attributes: Attributes;
  /** Fields that the service derived; they are recomputed on every change. */
  derived: DerivedName[];
  /** URLs in order. Their states are stored apart, so that a merge loses no downloaded image. */
  images: string[];
}

/** A field, or a member of `location` that was filled from the ZIP code. */
export type DerivedName = FieldName | 'city' | 'state';
