import { collectPlace, type Slot } from '../listing/record-names.ts';
import type { Place } from '../listing/truck.ts';
import { type Warning, warnUnreadable } from '../listing/warn.ts';
import { PLACE_NAMES, type PlaceName } from '../record/record.ts';
import { type Country, readCountry } from './countries.ts';
import { NO_PLACE, readCity, readDegrees, readZip, splitAddress, withoutPlaceLabel } from './place.ts';
import { readState } from './states.ts';

const NOTHING: PlaceMembers = { values: new Map(), nulls: new Set() };

interface PlaceMembers {
  values: ReadonlyMap<Slot, unknown>;
  nulls: ReadonlySet<Slot>;
}

/**
 * Reads a record's place: from `location` (an object, or a text like "El Paso, TX 79901") before members at the top level.
 * Undefined if the record has none, null if it clears it.
 */
export function readPlace(
  values: ReadonlyMap<Slot, unknown>,
  nulls: ReadonlySet<Slot>,
  warnings: Warning[],
): Partial<Place> | null | undefined {
  if (!PLACE_NAMES.some((name) => values.has(name) || nulls.has(name))) {
    if (nulls.has('location')) return null;
    if (!values.has('location')) return undefined;
  }
  const location = readMembers(values.get('location'), warnings);
  const members = new Map<PlaceName, unknown>();
  const place: Partial<Place> = nulls.has('location') ? { ...NO_PLACE } : {};
  for (const name of PLACE_NAMES) {
    const raw = location.values.get(name) ?? values.get(name);
    if (raw !== undefined) members.set(name, raw);
    else if (location.nulls.has(name) || nulls.has(name)) place[name] = null;
  }
  readAddress(members, place, warnings);
  readCoordinates(members, place, warnings);
  return Object.keys(place).length > 0 ? place : undefined;
}

/** Matches places on a lot, which are no city: `Row 7`, `Main Lot`. */
const SPOT =
  /\d|\b(?:lot|row|yard|bay|rear|front|section|space|stall|line|warehouse|showroom|shop|main|patio)\b/i;

const OUR_SOURCES = ['zip', 'city', 'geocoder', 'none'] as const;

function readMembers(location: unknown, warnings: Warning[]): PlaceMembers {
  if (location === undefined) return NOTHING;
  if (typeof location === 'string') {
    const address = splitAddress(readCity(withoutPlaceLabel(location)) ?? '');
    const { state, zip, country } = address;
    if (state === null && zip === null && country === null && SPOT.test(withoutPlaceLabel(location))) {
      warnings.push(warnUnreadable('location', location, 'a city with its state'));
      return NOTHING;
    }
    return collectPlace(Object.fromEntries(Object.entries(address).filter(([, value]) => value !== null)));
  }
  if (typeof location !== 'object' || location === null || Array.isArray(location)) {
    warnings.push(warnUnreadable('location', location, 'an object with city, state and zip'));
    return NOTHING;
  }
  const members = collectPlace(location);
  const source = 'source' in location ? location.source : null;
  if (source === 'dealer') return NOTHING;
  // The coordinates of an answer that is sent back are the service's, not the dealer's.
  if (OUR_SOURCES.some((ourSource) => ourSource === source))
    for (const name of ['latitude', 'longitude'] as const) members.values.delete(name);
  return members;
}

function readAddress(
  members: ReadonlyMap<PlaceName, unknown>,
  place: Partial<Place>,
  warnings: Warning[],
): void {
  const readMember = <Value>(name: PlaceName, reader: (raw: unknown) => Value | null, expected: string) => {
    if (!members.has(name)) return null;
    const value = reader(members.get(name));
    if (value === null) warnings.push(warnUnreadable(name, members.get(name), expected));
    return value;
  };
  const city = readMember('city', readCity, 'the name of a city');
  const parts = splitAddress(city ?? '');
  const country = readMember('country', readCountry, 'US, CA or MX') ?? parts.country;
  const toState = (raw: unknown) => readState(raw, country) ?? readState(raw);
  const state = repeatsCountry(members.get('state'), country)
    ? null
    : readMember('state', toState, 'a state of the US or Mexico, or a Canadian province');
  const zip = readMember('zip', readZip, 'a ZIP or postal code');
  if (country !== null) place.country = country;
  if (state !== null) place.state = state;
  if (zip !== null) place.zip = zip;
  if (city === null) return;
  // The field of the city may hold an address: `El Paso, TX`.
  const isAddress = parts.city !== '' && !members.has('state') && (parts.state ?? parts.country) !== null;
  place.city = isAddress ? parts.city : city;
  if (isAddress && parts.state !== null) place.state = parts.state;
  if (isAddress && parts.zip !== null) place.zip ??= parts.zip;
  if (!isAddress && !members.has('state') && readState(city) === MEXICO_CITY) place.state = MEXICO_CITY;
}

/** Mexico City is its own state. */
const MEXICO_CITY = 'CMX';

/** True if the state only repeats the country, as `CA` does in Canada. */
const repeatsCountry = (state: unknown, country: Country | null): boolean =>
  country !== null && readCountry(state) === country && readState(state, country) === null;

/** Coordinates count as a pair: one without the other, or out of range, is left out. */
function readCoordinates(
  members: ReadonlyMap<PlaceName, unknown>,
  place: Partial<Place>,
  warnings: Warning[],
): void {
  if (!members.has('latitude') && !members.has('longitude')) return;
  const latitude = readDegrees(members.get('latitude'), 90);
  const longitude = readDegrees(members.get('longitude'), 180);
  // Systems write 0/0 for unknown coordinates.
  if (latitude === 0 && longitude === 0) return;
  if (latitude !== null && longitude !== null) {
    place.latitude = latitude;
    place.longitude = longitude;
    return;
  }
  const field = latitude === null ? 'latitude' : 'longitude';
  warnings.push(warnUnreadable(field, members.get(field), 'degrees that make a pair of coordinates'));
}
