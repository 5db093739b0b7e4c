import { promisify } from 'node:util';
import { deserialize } from 'node:v8';
import { brotliDecompress } from 'node:zlib';
import { mapYielding } from '../../pipeline/batch/map-yielding.ts';
import type { Located } from '../../truck/listing/listing-doc.ts';
import type { Country } from '../../truck/place/countries.ts';
import { findCountry } from '../../truck/place/country.ts';
import { findNamesakeInMexico, isMexican, readState } from '../../truck/place/states.ts';
import { readDataFile } from '../data-file.ts';
import type { Geocoder } from '../outbound.ts';
import { foldCity } from './fold-city.ts';
import { DEGREE, type Gazetteer, postalKeys } from './gazetteer-file.ts';

type Address = Parameters<Geocoder['locate']>[0][number];
/** A gazetteer with the states of its cities. */
type Loaded = Gazetteer & { states: readonly string[] };
type Match = Exclude<Located, { source: 'geocoder' }>;

const MAX_NAME_LENGTH = 100;
/** A postal code farther than this from its city is mistyped, or its area is wide. */
const MAX_APART_KM = 150;
let loading: Promise<Loaded> | null = null;

/**
 * Geocoder over the bundled table of US ZIP codes, Canadian postal areas and cities, read on first use: by ZIP code, else by city and state.
 * Case, punctuation and the usual short forms ("St.", "Ft.") do not matter.
 */
export function bundledGeocoder(): { locate(places: readonly Address[]): Promise<Match[]> } {
  return {
    async locate(places) {
      if (!places.some(({ zip, city }) => zip !== null || city !== null)) return places.map(() => null);
      loading ??= load();
      const gazetteer = await loading.catch((error: unknown) => {
        loading = null;
        throw error;
      });
      return mapYielding(places, (place) => find(gazetteer, place));
    },
  };
}

async function load(): Promise<Loaded> {
  const gazetteer: Gazetteer = deserialize(
    await promisify(brotliDecompress)(await readDataFile('gazetteer.bin')),
  );
  const states = new Set(gazetteer.cityKeys.map((key) => key.slice(0, key.indexOf('|'))));
  return { ...gazetteer, states: [...states] };
}

function find(gazetteer: Loaded, { zip, city, state, country }: Address): Match {
  const code = readState(state);
  // Mexico has postal codes of five digits too.
  const byZip = zip === null || isMexican(code) ? null : findZip(gazetteer, zip);
  if (city === null || city.length > MAX_NAME_LENGTH) return byZip;
  if (code === null) return byZip ?? findAbroad(gazetteer, city, country);
  // The other state is warned of (ZIP_STATE_MISMATCH).
  if (byZip !== null && byZip.state !== code) return byZip;
  const byCity = findNamed(gazetteer, city, code);
  return byZip === null || (byCity !== null && distanceKm(byZip, byCity) > MAX_APART_KM) ? byCity : byZip;
}

/** A city by its country, where only one there is called so; in the US too many are. */
function findAbroad(gazetteer: Loaded, city: string, country: Country | null = null): Match {
  if (country === null || country === 'US') return null;
  const [match = null, ...others] = gazetteer.states
    .filter((state) => findCountry({ state }) === country)
    .flatMap((state) => findCity(gazetteer, city, state) ?? []);
  return others.length === 0 ? match : null;
}

function findNamed(gazetteer: Gazetteer, city: string, code: string): Match {
  // `Monterrey, NL` is not in Newfoundland; `Dallas/Fort Worth` is about in Dallas.
  for (const state of [code, findNamesakeInMexico(code)])
    for (const name of [city, city.split(/[/&]| - /)[0] ?? '']) {
      const match = state && findCity(gazetteer, name, state);
      if (match) return match;
    }
  return null;
}

function findZip(gazetteer: Gazetteer, zip: string): Match {
  const { zips, zipCities, zipLatitudes, zipLongitudes } = gazetteer;
  for (const key of postalKeys(zip)) {
    const at = search(zips, key);
    if (at >= 0)
      return {
        ...cityAt(gazetteer, zipCities[at]),
        source: 'zip',
        ...toDegrees(zipLatitudes[at], zipLongitudes[at]),
      };
  }
  return null;
}

function findCity(gazetteer: Gazetteer, name: string, state: string): Match {
  const at = search(gazetteer.cityKeys, `${state}|${foldCity(name)}`);
  if (at < 0) return null;
  const { cityLatitudes, cityLongitudes } = gazetteer;
  return { ...cityAt(gazetteer, at), source: 'city', ...toDegrees(cityLatitudes[at], cityLongitudes[at]) };
}

const cityAt = ({ cityKeys, cityNames }: Gazetteer, at = 0) => ({
  city: cityNames[at] ?? '',
  state: cityKeys[at]?.split('|')[0] ?? '',
});

const toDegrees = (latitude = 0, longitude = 0) => ({
  latitude: latitude / DEGREE,
  longitude: longitude / DEGREE,
});

/** Approximate: computed on a plane, which is close enough here. */
function distanceKm(from: NonNullable<Match>, to: NonNullable<Match>): number {
  const narrowing = Math.cos((from.latitude * Math.PI) / 180);
  const [north, east] = [from.latitude - to.latitude, (from.longitude - to.longitude) * narrowing];
  return 111 * Math.hypot(north, east);
}

/** Binary search; -1 for what is not in the list. */
function search(sorted: readonly string[], key: string): number {
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const candidate = sorted[middle] ?? '';
    if (candidate === key) return middle;
    if (candidate < key) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
