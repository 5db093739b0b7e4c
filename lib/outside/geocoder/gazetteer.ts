import { mapInTurns } from '../../pipeline/batch/in-turns.ts';
import type { Located } from '../../truck/listing/listing-doc.ts';
import type { Country } from '../../truck/place/countries.ts';
import { findCountry } from '../../truck/place/country.ts';
import { isMexican, namesakeInMexico, readState } from '../../truck/place/states.ts';
import { readDataFile } from '../data-file.ts';
import type { Geocoder } from '../outbound.ts';
import { foldCity } from './fold-city.ts';
import { DEGREE, decodeGazetteer, type Gazetteer, postalNumbers } from './gazetteer-file.ts';

type Address = Parameters<Geocoder['locate']>[0][number];
type Found = Exclude<Located, { source: 'geocoder' }>;

const MAX_NAME_LENGTH = 100;
/** A postal code farther than this from its city is mistyped, or its area is wide. */
const MAX_APART_KM = 150;
let loading: Promise<Gazetteer> | null = null;

/**
 * Geocoder over the bundled table of US ZIP codes, Canadian postal areas and cities, read on first use: by ZIP code, else by city and state.
 * Case, punctuation and the usual short forms ("St.", "Ft.") do not matter.
 */
export function bundledGeocoder(): { locate(places: readonly Address[]): Promise<Found[]> } {
  return {
    async locate(places) {
      if (!places.some(({ zip, city }) => zip !== null || city !== null)) return places.map(() => null);
      const gazetteer = await loadOnce();
      return mapInTurns(places, (place) => find(gazetteer, place));
    },
  };
}

function loadOnce(): Promise<Gazetteer> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load(): Promise<Gazetteer> {
  // Loaded here, because a cold start that asks for no place should not pay for them.
  const [{ promisify }, { brotliDecompress }] = await Promise.all([import('node:util'), import('node:zlib')]);
  const packed = await readDataFile('gazetteer.bin');
  return decodeGazetteer(await promisify(brotliDecompress)(packed));
}

function find(gazetteer: Gazetteer, { zip, city, state, country }: Address): Found {
  const code = readState(state);
  // Mexico has postal codes of five digits too.
  const byZip = zip === null || isMexican(code) ? null : findZip(gazetteer, zip);
  if (city === null || city.length > MAX_NAME_LENGTH) return byZip;
  if (code === null) return byZip ?? findAbroad(gazetteer, city, country);
  // In another state it is warned of (ZIP_STATE_MISMATCH).
  if (byZip !== null && byZip.state !== code) return byZip;
  const byCity = findNamed(gazetteer, city, code);
  return byZip === null || (byCity !== null && distanceKm(byZip, byCity) > MAX_APART_KM) ? byCity : byZip;
}

/** A city by its country, where only one there is called so; in the US too many are. */
function findAbroad(gazetteer: Gazetteer, city: string, country: Country | null = null): Found {
  if (country === null || country === 'US') return null;
  const [found = null, ...others] = gazetteer.states
    .filter((state) => findCountry({ state }) === country)
    .flatMap((state) => findCity(gazetteer, foldCity(city), state) ?? []);
  return others.length === 0 ? found : null;
}

function findNamed(gazetteer: Gazetteer, city: string, code: string): Found {
  // `Monterrey, NL` is not in Newfoundland; `Dallas/Fort Worth` is about in Dallas.
  const states = [code, namesakeInMexico(code)].filter((each) => each !== null);
  const names = [city, city.split(/[/&]| - /)[0] ?? ''].map(foldCity);
  const attempts = states.flatMap((each) => names.map((name) => [name, each] as const));
  for (const [name, each] of attempts) {
    const found = findCity(gazetteer, name, each);
    if (found !== null) return found;
  }
  return null;
}

function findZip(gazetteer: Gazetteer, zip: string): Found {
  const { zips } = gazetteer;
  const index = postalNumbers(zip)
    .map((wanted) => search(zips.length, (at) => (zips[at] ?? 0) - wanted))
    .find((at) => at >= 0);
  if (index === undefined) return null;
  const place = cityAt(gazetteer, gazetteer.zipCities[index] ?? 0);
  const latitude = place.latitude + (gazetteer.zipLatitudes[index] ?? 0);
  const longitude = place.longitude + (gazetteer.zipLongitudes[index] ?? 0);
  return { ...place, source: 'zip', latitude: latitude / DEGREE, longitude: longitude / DEGREE };
}

function findCity(gazetteer: Gazetteer, folded: string, stateCode: string | null): Found {
  const state = gazetteer.states.indexOf(stateCode ?? '');
  if (state < 0 || folded === '') return null;
  const { cityStates, cityNames } = gazetteer;
  const index = search(cityNames.length, (at) => {
    const apart = (cityStates[at] ?? 0) - state;
    if (apart !== 0) return apart;
    const name = foldCity(cityNames[at] ?? '');
    if (name === folded) return 0;
    return name < folded ? -1 : 1;
  });
  if (index < 0) return null;
  const place = cityAt(gazetteer, index);
  return { ...place, source: 'city', latitude: place.latitude / DEGREE, longitude: place.longitude / DEGREE };
}

function cityAt({ cityNames, cityStates, states, cityLatitudes, cityLongitudes }: Gazetteer, at: number) {
  return {
    city: cityNames[at] ?? '',
    state: states[cityStates[at] ?? 0] ?? '',
    latitude: cityLatitudes[at] ?? 0,
    longitude: cityLongitudes[at] ?? 0,
  };
}

/** About: on a plane, which does at this distance. */
function distanceKm(one: NonNullable<Found>, other: NonNullable<Found>): number {
  const narrowing = Math.cos((one.latitude * Math.PI) / 180);
  const [north, east] = [one.latitude - other.latitude, (one.longitude - other.longitude) * narrowing];
  return 111 * Math.hypot(north, east);
}

/** Binary search; `compare` answers below zero while the place looked at lies before the wanted one. */
function search(length: number, compare: (at: number) => number): number {
  let low = 0;
  let high = length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = compare(middle);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
