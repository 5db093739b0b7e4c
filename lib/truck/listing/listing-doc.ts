import { TRUCK_CLASSES } from '../fields.ts';
import { findOwnPlace, placeInCountry } from '../place/country.ts';
import { hasCoordinates } from '../place/place.ts';
import { entryFor, FIELD_NAMES, type FieldName, type TruckFields } from '../record/record.ts';
import { toTable } from '../text/table.ts';
import { computeCheckDigit, isNorthAmerican, toVinFacts } from '../vin/vin.ts';
import { readEngineFuel } from '../vocabulary/resolve.ts';
import { toFullTradeName } from '../vocabulary/series.ts';
import { findWeightClass, toTruckClass } from '../vocabulary/weight-class.ts';
import { scoreQuality } from './quality.ts';
import { settleUnits } from './read-units.ts';
import type { DerivedName, ListingDoc, Location, MergedTruck, Place, VinDecoded } from './truck.ts';
import type { Warning } from './warn.ts';

/**
 * The geocoder's answer for the truck's place; null if there is none. Only the gazetteer also returns city and state.
 */
export type Located =
  | { source: 'zip' | 'city'; latitude: number; longitude: number; city: string; state: string }
  | { source: 'geocoder'; latitude: number; longitude: number }
  | null;

/**
 * Builds the stored wire document of a canonical truck, its members in the order people read them. `derived` lists what is
 * filled in, so that `toMergedTruck` can remove it.
 */
export function toListingDoc(
  truck: MergedTruck,
  facts: {
    dedupHash: string;
    located: Located;
    decoded: VinDecoded | null;
    currentYear: number;
    liveImages: number;
    dealerPlace: Place | null;
  },
  warnings: Warning[] = [],
): ListingDoc {
  const { located, decoded, currentYear } = facts;
  const recordPlace = findOwnPlace(truck.place, facts.dealerPlace);
  const place = recordPlace && placeInCountry(recordPlace, located);
  const dealerPlace =
    facts.dealerPlace && placeInCountry(facts.dealerPlace, recordPlace === null ? located : null);
  const derived: DerivedName[] = [];
  const isTrusted = computeCheckDigit(truck.vin) === truck.vin.charAt(8) || !isNorthAmerican(truck.vin);
  const fields = fillFields(truck.fields, isTrusted ? decoded : null, derived);
  const location = place
    ? toLocation(place, located, derived)
    : dealerPlace && toDealerLocation(dealerPlace, located);
  settleUnits(fields, { location, dealerPlace, currentYear }, derived, warnings);
  return {
    vin: truck.vin,
    ...fields,
    source_provider_id: truck.sourceProviderId || null,
    dedup_hash: facts.dedupHash,
    dealer: truck.dealer,
    location,
    vin_facts: toVinFacts(truck.vin, currentYear, decoded),
    quality: scoreQuality({ fields, images: facts.liveImages, located: isFindable(location) }),
    attributes: truck.attributes,
    derived,
    images: truck.images,
  };
}

type VinField = FieldName & keyof VinDecoded;
/** Fields that the VIN fills in if the record leaves them out. */
const FROM_VIN = FIELD_NAMES.filter((name): name is VinField => entryFor(name).fromVin === true);

/** Fills in fields; gvwr decides the class before the VIN. A class below 3 is never filled in: it would contradict the listing. */
function fillFields(
  recordFields: TruckFields,
  decoded: VinDecoded | null,
  derived: DerivedName[],
): TruckFields {
  const filled: TruckFields = { ...recordFields };
  const classByVin = TRUCK_CLASSES.find((name) => name === decoded?.truck_class) ?? null;
  const fill = <Name extends FieldName>(name: Name, value: TruckFields[Name] | undefined) => {
    if (filled[name] !== null || value === null || value === undefined) return;
    filled[name] = value;
    derived.push(name);
  };
  fill('class', toTruckClass(findWeightClass(recordFields.gvwr)) ?? classByVin);
  // The engine as sent decides the fuel: a chassis may have another engine than its VIN says.
  if (recordFields.engine !== null) fill('fuel_type', readEngineFuel(recordFields.engine));
  for (const name of FROM_VIN) if (!contradicts(name, recordFields, decoded)) fill(name, decoded?.[name]);
  if (filled.model !== null && decoded !== null && filled.make === decoded.make)
    filled.model = toFullTradeName(filled.model, decoded);
  return filled;
}

/**
 * True if the VIN's value contradicts the record: the cab of a tractor that has the other one, or the body of a chassis
 * whose dealer describes the body in other words.
 */
function contradicts(
  name: FieldName,
  { body_type: body, body_description: description, cab }: TruckFields,
  decoded: VinDecoded | null,
): boolean {
  if (name === 'cab') return body !== null && decoded?.cab != null && OTHER_CAB[body] === decoded.cab;
  if (name !== 'body_type' || decoded?.body_type == null) return false;
  return (
    description !== null ||
    (cab !== null && OTHER_CAB[decoded.body_type]?.toLowerCase() === cab.toLowerCase())
  );
}

const OTHER_CAB: Readonly<Record<string, string>> = toTable({
  day_cab_tractor: 'Sleeper',
  sleeper_tractor: 'Day cab',
});

/** Uses the record's coordinates before the geocoder's. A ZIP code in another state than the record's fills in nothing. */
function toLocation(place: Place, located: Located, derived: DerivedName[]): Location {
  const { city, state, zip, country } = place;
  const filled = { city, state };
  const gazetteerPlace = located !== null && located.source !== 'geocoder' ? located : null;
  for (const name of ['city', 'state'] as const) {
    if (
      filled[name] !== null ||
      gazetteerPlace === null ||
      (state !== null && state !== gazetteerPlace.state)
    )
      continue;
    filled[name] = gazetteerPlace[name];
    derived.push(name);
  }
  const { latitude = null, longitude = null } = (hasCoordinates(place) ? place : located) ?? {};
  const source = hasCoordinates(place) ? 'record' : (located?.source ?? 'none');
  return { ...filled, zip, country, latitude, longitude, source };
}

/** Returns the dealer's place, of which nothing counts as derived. */
export const toDealerLocation = (place: Place, located: Located): Location => ({
  ...toLocation(place, located, []),
  source: 'dealer',
});

export function isFindable(location: Location | null): boolean {
  if (location === null) return false;
  return hasCoordinates(location) || (location.city !== null && location.state !== null);
}
