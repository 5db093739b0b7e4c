import type { Place } from '../listing/truck.ts';
import type { Currency } from '../text/currency.ts';
import { hasCoordinates } from './place.ts';
import { CANADIAN_PROVINCES } from './places.ts';
import { isMexican, namesakeInMexico } from './states.ts';

/** In which country a place is, by its state: `NL` is Newfoundland or Nuevo León, `BC` one of two as well. */

/** The currency of Canada or Mexico, where odometers count kilometers, by a province or state of theirs; else null. */
export function foreignCurrency(state: string | null | undefined): Currency | null {
  if (state == null) return null;
  if (Object.hasOwn(CANADIAN_PROVINCES, state)) return 'CAD';
  return isMexican(state) ? 'MXN' : null;
}

/** The currencies that a price may be in that names none, by what a record says of its place. */
export function currenciesAt(state: string | null | undefined): (Currency | null)[] {
  const isNamesake = state != null && namesakeInMexico(state) !== null;
  return [null, foreignCurrency(state), isNamesake ? 'MXN' : null];
}

/** What a geocoder answers: the gazetteer names the state. */
type Found = { latitude: number; state?: string } | null;

/** All of Mexico is south of it, all of Canada north. */
const BETWEEN_DEGREES = 38;

/**
 * The place in the country that its postal code, its coordinates or else its city's show it to be in; where neither says
 * so, in that of its dealer.
 */
export function inItsCountry<P extends Partial<Place>>(place: P, located: Found, dealer: Place | null): P {
  const namesake = place.state == null ? null : namesakeInMexico(place.state);
  if (namesake === null || !isInMexico({ ...place, namesake }, located, dealer)) return place;
  return { ...place, state: namesake };
}

function isInMexico(
  { zip, latitude = null, longitude = null, namesake }: Partial<Place> & { namesake: string },
  located: Found,
  dealer: Place | null,
): boolean {
  if (zip != null) return /^\d/.test(zip);
  const coordinates = { latitude, longitude };
  if (hasCoordinates(coordinates)) return coordinates.latitude < BETWEEN_DEGREES;
  if (located === null) return isMexican(dealer?.state);
  return located.state === undefined ? located.latitude < BETWEEN_DEGREES : located.state === namesake;
}
