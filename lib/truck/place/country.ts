import type { Place } from '../listing/truck.ts';
import type { Currency } from '../text/currency.ts';
import type { Country } from './countries.ts';
import { hasCoordinates } from './place.ts';
import { CANADIAN_PROVINCES, US_STATES } from './places.ts';
import { findNamesakeInMexico, isMexican } from './states.ts';

/** Countries of places whose state is ambiguous: `NL` is Newfoundland or Nuevo León, `BC` British Columbia or Baja California. */

/** Finds the country of a place; its state decides before the country that the record names. */
export function findCountry({ state, zip, country }: Partial<Place>): Country | null {
  if (isMexican(state)) return 'MX';
  if (state != null && Object.hasOwn(CANADIAN_PROVINCES, state)) return 'CA';
  if (state != null && Object.hasOwn(US_STATES, state)) return 'US';
  return /^[A-Z]/.test(zip ?? '') ? 'CA' : (country ?? null);
}

/** Returns the record's own place; null if it is only the country of its dealer. */
export function findOwnPlace(place: Place | null, dealer: Place | null): Place | null {
  if (place === null || dealer === null || place.country === null) return place;
  const saysMore = place.city !== null || place.state !== null || place.zip !== null || hasCoordinates(place);
  return saysMore || findCountry(dealer) !== place.country ? place : null;
}

const CURRENCY_ABROAD: Readonly<Record<Country, Currency | null>> = { US: null, CA: 'CAD', MX: 'MXN' };

/** Returns the currency of a place in Canada or Mexico, where odometers count kilometers; else null. */
export function findForeignCurrency(place: Partial<Place> | null | undefined): Currency | null {
  const country = place ? findCountry(place) : null;
  return country && CURRENCY_ABROAD[country];
}

/** Lists the possible currencies of a price without one, by the place of its record. */
export function listCurrencies(place: Partial<Place> | null | undefined): (Currency | null)[] {
  const isNamesake = place?.state != null && findNamesakeInMexico(place.state) !== null;
  return [null, findForeignCurrency(place), isNamesake ? 'MXN' : null];
}

/**
 * Replaces an ambiguous state by the Mexican one if the place's country, postal code, or city in the gazetteer is Mexican.
 */
export function placeInCountry<P extends Partial<Place>>(
  place: P,
  located: { latitude: number; state?: string } | null,
): P {
  const namesake = place.state == null ? null : findNamesakeInMexico(place.state);
  if (namesake === null) return place;
  const { zip, country } = place;
  const isByZip = zip == null ? located?.state === namesake : /^\d/.test(zip);
  return (country == null ? isByZip : country === 'MX') ? { ...place, state: namesake } : place;
}
