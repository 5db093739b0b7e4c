import type { Place } from '../listing/truck.ts';
import { cleanLine, cut, toText } from '../text/text.ts';
import { splitCountry } from './countries.ts';
import { CANADIAN_PROVINCES } from './places.ts';
import { readState } from './states.ts';

/** Reading of places: cities, states and provinces, postal codes, coordinates. */

const MAX_CITY = 100;

export const NO_PLACE: Place = {
  city: null,
  state: null,
  zip: null,
  country: null,
  latitude: null,
  longitude: null,
};

/**
 * Five digits of a US ZIP code (ZIP+4 is shortened, leading zeros lost in a spreadsheet are restored) or a Canadian
 * postal code as `K1A 0B1`, or its first three characters; null for anything else. Idempotent.
 */
export function readZip(raw: unknown): string | null {
  const text = splitCountry(toText(raw)?.trim().toUpperCase().slice(0, 100) ?? '').rest;
  if (/^\d{5}(?:[- ]?\d{4})?$/.test(text)) return text.slice(0, 5);
  if (/^\d{3,4}$/.test(text)) return text.padStart(5, '0');
  const canadian = /^([ABCEGHJ-NPRSTVXY]\d[A-Z])(?:[ -]?(\d[A-Z]\d))?$/.exec(text);
  return canadian ? [canadian[1], canadian[2]].filter(Boolean).join(' ') : null;
}

/** A city's name as one clean line; null when there is no text. */
export function readCity(raw: unknown): string | null {
  return typeof raw === 'string' ? cut(cleanLine(raw), MAX_CITY) || null : null;
}

const PLACE_LABEL = /^(?:location|lot|store|branch|ubicaci[oó]n|sucursal)\s?[:-]\s?/i;

/** `Location: Lubbock, TX` → `Lubbock, TX`. */
export const withoutPlaceLabel = (text: string): string => text.trim().replace(PLACE_LABEL, '');

/** Degrees within ±limit, at most 6 decimals; null for anything else. */
export function readDegrees(raw: unknown, limit: 90 | 180): number | null {
  const text = typeof raw === 'string' ? raw.trim() : null;
  if (text !== null && !/^[+-]?\d{1,3}(?:\.\d{0,20})?$/.test(text)) return null;
  const value = text === null ? raw : Number(text);
  if (typeof value !== 'number' || !(Math.abs(value) <= limit)) return null;
  return Math.round(value * 1e6) / 1e6 + 0;
}

/** `, AB` and `, AB T2P 1J9`, before a `CA` that is no California. */
const PROVINCE = new RegExp(
  `,\\s?(?:${Object.keys(CANADIAN_PROVINCES).join('|')})(?: [A-Z]\\d[A-Z] ?\\d[A-Z]\\d)?$`,
);

/** `El Paso, TX 79901` → its parts; a text without a state or ZIP is all city. */
export function splitAddress(text: string) {
  const { rest: bare, country } = splitCountry(text.slice(0, 500));
  const read = (state: string) => readState(state, country);
  const parts = splitParts(bare, read);
  return parts.state === 'CA' && PROVINCE.test(parts.city)
    ? { ...splitParts(parts.city, read), country: 'CA' as const }
    : { ...parts, country };
}

function splitParts(bare: string, read: (text: string) => string | null) {
  const match = /(?:^|[,\s])(\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)$/i.exec(bare);
  const zip = readZip(match?.[1]);
  const rest = withoutComma(zip === null ? bare : bare.slice(0, match?.index));
  const comma = rest.lastIndexOf(',');
  const state = read(rest.slice(comma + 1));
  if (comma >= 0 && state !== null) return { city: rest.slice(0, comma).trim(), state, zip };
  return { ...splitWords(rest, read), zip };
}

function withoutComma(text: string): string {
  const trimmed = text.trim();
  return trimmed.endsWith(',') ? trimmed.slice(0, -1).trim() : trimmed;
}

const MAX_STATE_WORDS = 4;
/** A city may be called like a state with one of these in front: Port Washington. */
const NO_CITY =
  /^(?:port|fort|ft\.?|mount|mt\.?|new|north|south|east|west|upper|lower|lake|point|baja|san|santa)$/i;

/** `Toronto Ontario`, `Fargo N Dakota`: the last words are the state, the most that are one, if a city is left. */
function splitWords(text: string, read: (text: string) => string | null) {
  const words = text.split(/\s+/);
  for (let count = Math.min(MAX_STATE_WORDS, words.length - 1); count > 0; count -= 1) {
    const state = read(words.slice(-count).join(' '));
    const city = words.slice(0, -count).join(' ').replace(/,$/, '');
    if (state !== null && !NO_CITY.test(city)) return { city, state };
  }
  return { city: text, state: null };
}

/** What can be read of a dealer's address, which is kept as it was typed; null when it says nothing of a place. */
export function readDealerPlace(address: Pick<Place, 'city' | 'state' | 'zip'> | null): Place | null {
  if (address === null) return null;
  const place = {
    ...NO_PLACE,
    city: readCity(address.city),
    state: readState(address.state),
    zip: readZip(address.zip),
  };
  return place.city === null && place.state === null && place.zip === null ? null : place;
}

export function hasCoordinates<P extends Pick<Place, 'latitude' | 'longitude'>>(
  place: P,
): place is P & { latitude: number; longitude: number } {
  const { latitude, longitude } = place;
  return latitude !== null && longitude !== null;
}
