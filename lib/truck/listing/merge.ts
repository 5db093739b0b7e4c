import { hasCoordinates, NO_PLACE } from '../place/place.ts';
import { FIELD_NAMES, type FieldName, type TruckFields } from '../record/record.ts';
import { foldKey } from '../text/text.ts';
import type { Attributes, ListingDoc, MergedTruck, Place, TruckPatch } from './truck.ts';

/**
 * Merges by the contract's section 1: a value replaces the stored one, an absent one keeps it, an explicit null clears it.
 * Applying two patches one after the other equals applying their merge.
 */

/** The fields of a truck without values, in the order of the table. */
export const NO_FIELDS: Readonly<TruckFields> = mapFields(() => null);

type ShownPlace = Pick<Place, 'city' | 'state' | 'latitude' | 'longitude'> | null;

/**
 * Applies a patch to the stored truck (null for a new one).
 *
 * @param dealer slug that the truck has from now on
 * @param shownPlace the stored listing's place, with what the gazetteer filled in
 */
export function applyPatch(
  identity: { vin: string; sourceProviderId: string },
  stored: MergedTruck | null,
  patch: TruckPatch,
  dealer: string | null,
  shownPlace: ShownPlace = null,
): MergedTruck {
  return {
    vin: identity.vin,
    sourceProviderId: identity.sourceProviderId,
    fields: { ...NO_FIELDS, ...stored?.fields, ...patch.fields },
    place: mergePlace(stored?.place ?? null, shownPlace, patch.place),
    images: patch.images === undefined ? (stored?.images ?? []) : (patch.images ?? []),
    attributes: patch.attributes === null ? {} : withoutNulls({ ...stored?.attributes, ...patch.attributes }),
    dealer,
  };
}

/**
 * Returns the truck that a stored document was made of, without what enriching added, so that it can be merged and
 * enriched again. The inverse of enriching, except for canonical spelling.
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
  const hasOwnCoordinates = location.source === 'record';
  return {
    city: derived.has('city') ? null : location.city,
    state: derived.has('state') ? null : location.state,
    zip: location.zip,
    // Documents stored before the service read countries have none.
    country: location.country ?? null,
    latitude: hasOwnCoordinates ? location.latitude : null,
    longitude: hasOwnCoordinates ? location.longitude : null,
  };
}

function mergePlace(stored: Place | null, shownPlace: ShownPlace, patch: TruckPatch['place']): Place | null {
  if (patch === undefined) return stored;
  if (patch === null) return null;
  const place = {
    ...NO_PLACE,
    ...stored,
    ...clearContradictions({ ...NO_PLACE, ...stored }, shownPlace, patch),
    ...patch,
  };
  if (!hasCoordinates(place)) place.latitude = place.longitude = null;
  return Object.values(place).some((value) => value !== null) ? place : null;
}

const NOWHERE = { latitude: null, longitude: null };

/** Clears parts of the stored place that the patch contradicts. A city has several ZIP codes, a ZIP code one city. */
function clearContradictions(stored: Place, shownPlace: ShownPlace, patch: Partial<Place>): Partial<Place> {
  const fullPlace = {
    ...stored,
    city: stored.city ?? shownPlace?.city ?? null,
    state: stored.state ?? shownPlace?.state ?? null,
  };
  const changes = (name: 'city' | 'state' | 'zip' | 'country') =>
    patch[name] != null && fullPlace[name] != null && foldKey(patch[name]) !== foldKey(fullPlace[name]);
  if (changes('country') || changes('zip') || changes('state')) return NO_PLACE;
  if (changes('city')) return { ...NOWHERE, zip: null };
  if (!isNamed(patch)) return isFarAway(shownPlace, patch) ? NO_PLACE : {};
  // The stored coordinates may be of another place than the new name.
  return isNamed(fullPlace) ? {} : NOWHERE;
}

const isNamed = ({ city, state, zip }: Partial<Place>) => city != null || state != null || zip != null;

/** About 100 km: no lot is as far from its city. */
const FAR_DEGREES = 1;

/** True if the patch's coordinates are not of the stored listing's place. */
const isFarAway = (shownPlace: ShownPlace, patch: Partial<Place>): boolean =>
  (['latitude', 'longitude'] as const).some(
    (name) => Math.abs((patch[name] ?? Number.NaN) - (shownPlace?.[name] ?? Number.NaN)) > FAR_DEGREES,
  );

/** Removes the attributes that were sent as null. */
function withoutNulls(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}

function mapFields(value: (name: FieldName) => unknown): TruckFields {
  // TruckFields has one value for each field name; the caller returns the type of each field.
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, value(name)])) as unknown as TruckFields;
}
