import type { Place } from '../listing/truck.ts';
import { cleanLine, cut, toText } from '../text/text.ts';
import { splitCountry } from './countries.ts';
import { CANADIAN_PROVINCES } from './places.ts';
import { readState } from './states.ts';

/** Reads places: cities, states and provinces, postal codes, coordinates. */

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
 * Reads a US ZIP code (five digits: ZIP+4 is shortened, zeros that a spreadsheet dropped are restored), a Canadian postal
 * code as `K1A 0B1`, or its first three characters; else null. Idempotent.
 */
export function readZip(raw: unknown): string | null {
  const text = splitCountry(toText(raw)?.trim().toUpperCase().slice(0, 100) ?? '').rest;
  if (/^\d{5}(?:[- ]?\d{4})?$/.test(text)) return text.slice(0, 5);
  if (/^\d{3,4}$/.test(text)) return text.padStart(5, '0');
  const canadian = /^([ABCEGHJ-NPRSTVXY]\d[A-Z])(?:[ -]?(\d[A-Z]\d))?$/.exec(text);
  return canadian ? [canadian[1], canadian[2]].filter(Boolean).join(' ') : null;
}

/** Reads a city's name as one clean line; null without text. */
export function readCity(raw: unknown): string | null {
  return typeof raw === 'string' ? cut(cleanLine(raw), MAX_CITY) || null : null;
}

const PLACE_LABEL = /^(?:location|lot|store|branch|ubicaci[oó]n|sucursal)\s?[:-]\s?/i;

/** `Location: Lubbock, TX` → `Lubbock, TX`. */
export const withoutPlaceLabel = (text: string): string => text.trim().replace(PLACE_LABEL, '');

/** Reads degrees within ±limit, at most 6 decimals; else null. */
export function readDegrees(raw: unknown, limit: 90 | 180): number | null {
  const text = typeof raw === 'string' ? raw.trim() : null;
  if (text !== null && !/^[+-]?\d{1,3}(?:\.\d{0,20})?$/.test(text)) return null;
  const value = text === null ? raw : Number(text);
  if (typeof value !== 'number' || !(Math.abs(value) <= limit)) return null;
  return Math.round(value * 1e6) / 1e6 + 0;
}

/** Matches `, AB` and `, AB T2P 1J9`, after which `CA` means Canada. */
const PROVINCE = new RegExp(
  `,\\s?(?:${Object.keys(CANADIAN_PROVINCES).join('|')})(?: [A-Z]\\d[A-Z] ?\\d[A-Z]\\d)?$`,
);

/** Splits an address such as `El Paso, TX 79901`; a text without a state or ZIP code is a city. */
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
/** Words before a state's name that make it a city: Port Washington. */
const NO_CITY =
  /^(?:port|fort|ft\.?|mount|mt\.?|new|north|south|east|west|upper|lower|lake|point|baja|san|santa)$/i;

/** Splits `Toronto Ontario` and `Fargo N Dakota`: as many last words as name a state, if a city remains. */
function splitWords(text: string, read: (text: string) => string | null) {
  const words = text.split(/\s+/);
  for (let count = Math.min(MAX_STATE_WORDS, words.length - 1); count > 0; count -= 1) {
    const state = read(words.slice(-count).join(' '));
    const city = words.slice(0, -count).join(' ').replace(/,$/, '');
    if (state !== null && !NO_CITY.test(city)) return { city, state };
  }
  return { city: text, state: null };
}

/** Reads the place from a dealer's address, which is stored as typed; null if it has none. */
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
