import { hasCoordinates } from './place.ts';
import { qualityOf } from './quality.ts';
import type { DerivedName, ListingDoc, Location, MergedTruck } from './truck.ts';
import { vinFacts } from './vin.ts';
import { truckClass, weightClassOf } from './weight-class.ts';

/** What a geocoder knows of the truck's place; null when it was not asked or knows nothing. */
export type Located = {
  source: 'zip' | 'city';
  latitude: number;
  longitude: number;
  city: string;
  state: string;
} | null;

/**
 * The stored wire document of a canonical truck, its members in the order people read them. What is filled in stands
 * in `derived`, so that `truckOf` can take it away again.
 */
export function listingDoc(
  truck: MergedTruck,
  facts: { dedupHash: string; located: Located; currentYear: number; liveImages: number },
): ListingDoc {
  const derived: DerivedName[] = [];
  const { year, make, model, trim, class: sentClass, ...rest } = truck.fields;
  const classByWeight = sentClass === null ? classOf(truck.fields.gvwr) : null;
  if (classByWeight !== null) derived.push('class');
  const fields = { year, make, model, trim, class: sentClass ?? classByWeight, ...rest };
  const location = locationOf(truck, facts.located, derived);
  return {
    vin: truck.vin,
    ...fields,
    source_provider_id: truck.sourceProviderId || null,
    dedup_hash: facts.dedupHash,
    dealer: truck.dealer,
    location,
    vin_facts: vinFacts(truck.vin, facts.currentYear),
    quality: qualityOf({ fields, images: facts.liveImages, located: isFindable(location) }),
    attributes: truck.attributes,
    derived,
    images: truck.images,
  };
}

function classOf(gvwr: number | null): string | null {
  const weightClass = gvwr === null ? null : weightClassOf(gvwr);
  return weightClass === null ? null : truckClass(weightClass);
}

/** The record's own coordinates win; a ZIP code in another state than the record says fills in nothing. */
function locationOf({ place }: MergedTruck, located: Located, derived: DerivedName[]): Location | null {
  if (place === null) return null;
  let { city, state } = place;
  if (located?.source === 'zip' && (state === null || state === located.state)) {
    if (city === null) {
      city = located.city;
      derived.push('city');
    }
    if (state === null) {
      state = located.state;
      derived.push('state');
    }
  }
  const { zip, latitude, longitude } = place;
  if (hasCoordinates(place)) return { city, state, zip, latitude, longitude, source: 'record' };
  if (located === null) return { city, state, zip, latitude: null, longitude: null, source: 'none' };
  return {
    city,
    state,
    zip,
    latitude: located.latitude,
    longitude: located.longitude,
    source: located.source,
  };
}

function isFindable(location: Location | null): boolean {
  if (location === null) return false;
  return hasCoordinates(location) || (location.city !== null && location.state !== null);
}
