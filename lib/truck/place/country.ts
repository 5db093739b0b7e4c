import type { Place } from '../listing/truck.ts';
import type { Currency } from '../text/currency.ts';
import type { Country } from './countries.ts';
import { hasCoordinates } from './place.ts';
import { CANADIAN_PROVINCES, US_STATES } from './places.ts';
import { isMexican, namesakeInMexico } from './states.ts';

/** In which country a place is, by its state: `NL` is Newfoundland or Nuevo León, `BC` one of two as well. */

/** The country that a place is in: its state decides, before the country that was named. */
export function findCountry({ state, zip, country }: Partial<Place>): Country | null {
  if (isMexican(state)) return 'MX';
  if (state != null && Object.hasOwn(CANADIAN_PROVINCES, state)) return 'CA';
  if (state != null && Object.hasOwn(US_STATES, state)) return 'US';
  return /^[A-Z]/.test(zip ?? '') ? 'CA' : (country ?? null);
}

/** The record's own place; null where it says no more than the country that its dealer is in. */
export function ownPlace(place: Place | null, dealer: Place | null): Place | null {
  if (place === null || dealer === null || place.country === null) return place;
  const saysMore = place.city !== null || place.state !== null || place.zip !== null || hasCoordinates(place);
  return saysMore || findCountry(dealer) !== place.country ? place : null;
}

const CURRENCY_ABROAD: Readonly<Record<Country, Currency | null>> = { US: null, CA: 'CAD', MX: 'MXN' };

/** The currency of a place in Canada or Mexico, where odometers count kilometers; else null. */
export function foreignCurrency(place: Partial<Place> | null | undefined): Currency | null {
  const country = place ? findCountry(place) : null;
  return country && CURRENCY_ABROAD[country];
}

/** The currencies that a price may be in that names none, by what a record says of its place. */
export function currenciesAt(place: Partial<Place> | null | undefined): (Currency | null)[] {
  const isNamesake = place?.state != null && namesakeInMexico(place.state) !== null;
  return [null, foreignCurrency(place), isNamesake ? 'MXN' : null];
}

/** What a geocoder answers: the gazetteer names the state. */
type Found = { latitude: number; state?: string } | null;

/** All of Mexico is south of it, all of Canada north. */
const BETWEEN_DEGREES = 38;

/**
 * The place in the country that it names, or its postal code, its coordinates or else its city's show it to be in; where neither says
 * so, in that of its dealer.
 */
export function inItsCountry<P extends Partial<Place>>(place: P, located: Found, dealer: Place | null): P {
  const namesake = place.state == null ? null : namesakeInMexico(place.state);
  if (namesake === null || !isInMexico({ ...place, namesake }, located, dealer)) return place;
  return { ...place, state: namesake };
}

function isInMexico(
  { zip, country, latitude = null, longitude = null, namesake }: Partial<Place> & { namesake: string },
  located: Found,
  dealer: Place | null,
): boolean {
  if (country != null) return country === 'MX';
  if (zip != null) return /^\d/.test(zip);
  const coordinates = { latitude, longitude };
  if (hasCoordinates(coordinates)) return coordinates.latitude < BETWEEN_DEGREES;
  if (located === null) return isMexican(dealer?.state);
  return located.state === undefined ? located.latitude < BETWEEN_DEGREES : located.state === namesake;
}
