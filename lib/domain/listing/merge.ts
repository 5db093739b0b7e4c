import { FIELD_NAMES, type FieldName, type TruckFields } from '../../contract/record/record.ts';
import { NO_PLACE } from '../place/place.ts';
import type { Attributes, ListingDoc, MergedTruck, Place, TruckPatch } from './truck.ts';

/**
 * Merging by the contract's section 1: what is present wins over what was there, what is absent stays, an explicit
 * null clears. Applying two patches one after the other equals applying their merge.
 */

/** A truck of which nothing is known; the keys stand in the table's order. */
export const NO_FIELDS: Readonly<TruckFields> = mapFields(() => null);

/** One patch that says what both say, the second having the last word. */
export function mergePatches(first: TruckPatch, second: TruckPatch): TruckPatch {
  const merged: TruckPatch = { ...first, ...second, fields: { ...first.fields, ...second.fields } };
  if (first.place !== undefined && second.place)
    merged.place = { ...(first.place ?? NO_PLACE), ...second.place };
  if (first.attributes && second.attributes)
    merged.attributes = { ...first.attributes, ...second.attributes };
  return merged;
}

/**
 * The stored truck (null for a new one) with a patch applied.
 *
 * @param dealer slug the patch resolves to; null leaves the stored one
 */
export function applyPatch(
  identity: { vin: string; sourceProviderId: string },
  stored: MergedTruck | null,
  patch: TruckPatch,
  dealer: string | null,
): MergedTruck {
  return {
    vin: identity.vin,
    sourceProviderId: identity.sourceProviderId,
    fields: { ...NO_FIELDS, ...stored?.fields, ...patch.fields },
    place: mergedPlace(stored?.place ?? null, patch.place),
    images: patch.images === undefined ? (stored?.images ?? []) : (patch.images ?? []),
    attributes: withoutNulls({ ...stored?.attributes, ...patch.attributes }),
    dealer: dealer ?? stored?.dealer ?? null,
  };
}

/**
 * The truck a stored document was made of: without what enriching added, so that it can be merged and enriched
 * again. The inverse of enriching, up to canonical spelling.
 */
export function toMergedTruck(doc: ListingDoc): MergedTruck {
  const derived = new Set<string>(doc.derived);
  return {
    vin: doc.vin,
    sourceProviderId: doc.source_provider_id ?? '',
    fields: mapFields((name) => (derived.has(name) ? null : (doc[name] ?? null))),
    place: toPlace(doc, derived),
    images: doc.images,
    attributes: doc.attributes,
    dealer: doc.dealer,
  };
}

function toPlace({ location }: ListingDoc, derived: ReadonlySet<string>): Place | null {
  if (location === null || location.source === 'dealer') return null;
  const own = location.source === 'record';
  return {
    city: derived.has('city') ? null : location.city,
    state: derived.has('state') ? null : location.state,
    zip: location.zip,
    latitude: own ? location.latitude : null,
    longitude: own ? location.longitude : null,
  };
}

function mergedPlace(stored: Place | null, patch: Partial<Place> | null | undefined): Place | null {
  if (patch === undefined) return stored;
  return patch === null ? null : { ...NO_PLACE, ...stored, ...patch };
}

/** An attribute sent as null is cleared. */
function withoutNulls(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}

function mapFields(value: (name: FieldName) => unknown): TruckFields {
  // One value per field name: that is what TruckFields is; the caller's value has the field's own type.
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, value(name)])) as unknown as TruckFields;
}
