import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import { brotliCompressSync, constants } from 'node:zlib';
import { foldCity } from '../lib/outside/geocoder/fold-city.ts';
import { DEGREE, type Gazetteer, postalKeys } from '../lib/outside/geocoder/gazetteer-file.ts';
import { readState } from '../lib/truck/place/states.ts';
import { CANADIAN_AREAS } from './places/canadian-areas.ts';

/**
 * Makes lib/data/gazetteer.bin from the ZIP codes of the `zipcodes` package (BSD) and what is newer in `places/`, with
 * Canadian postal areas, and towns without a ZIP code of their own, most of them in Mexico and Canada: `node scripts/build-gazetteer.ts`.
 * The same input gives the same bytes. Military addresses are left out, and coordinates that contradict their
 * neighbourhood (missing, zero, of the wrong sign) are replaced by the city's.
 */
interface Entry {
  zip: string;
  latitude: number;
  longitude: number;
  city: string;
  state: string;
}

interface City {
  name: string;
  state: string;
  folded: string;
  entries: Entry[];
  latitude: number;
  longitude: number;
}

/** Farther from the middle of its three-digit area than this, in degrees, a coordinate is an error of the source. */
const ASTRAY = 4;
/** Canadian areas are as wide as provinces there. */
const isCanadian = ({ zip }: Entry) => !/^\d/.test(zip);
/** Where three-digit areas span islands and a thousand miles; nothing there is judged by its neighbours. */
const WIDE = new Set(['AK', 'HI', 'AS', 'GU', 'MP', 'PW', 'FM', 'MH']);
export function buildGazetteer(): Gazetteer {
  const entries = repaired(sourceEntries());
  const cities = withTowns(toCities(entries));
  const zips = cities
    .flatMap((city, index) => city.entries.map((entry) => ({ ...entry, key: keyFor(entry), index })))
    .sort((left, right) => compare(left.key, right.key));
  const toUnits = (
    list: readonly { latitude: number; longitude: number }[],
    axis: 'latitude' | 'longitude',
  ) => Int32Array.from(list, (place) => Math.round(place[axis] * DEGREE));
  return {
    cityKeys: cities.map(toCityKey),
    cityNames: cities.map(({ name }) => name),
    cityLatitudes: toUnits(cities, 'latitude'),
    cityLongitudes: toUnits(cities, 'longitude'),
    zips: zips.map(({ key }) => key),
    zipCities: Uint16Array.from(zips, ({ index }) => index),
    zipLatitudes: toUnits(zips, 'latitude'),
    zipLongitudes: toUnits(zips, 'longitude'),
  };
}

const keyFor = ({ zip }: Pick<Entry, 'zip'>): string => postalKeys(zip)[0] ?? '';
const toCityKey = ({ state, folded }: Pick<City, 'state' | 'folded'>): string => `${state}|${folded}`;

function sourceEntries(): Entry[] {
  const require = createRequire(import.meta.url);
  const { codes }: { codes: Record<string, Entry> } = require('zipcodes/lib/codes.js');
  return [...Object.values(codes), ...newerZips(), ...CANADIAN_AREAS].filter(
    ({ zip, state }) => postalKeys(zip).length > 0 && readState(state) === state,
  );
}

const readRows = (name: string) =>
  readFileSync(new URL(`places/${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('|'));

function newerZips(): Entry[] {
  return readRows('newer-zips').map(([zip = '', city = '', state = '', latitude, longitude]) => ({
    zip,
    city,
    state,
    latitude: Number(latitude),
    longitude: Number(longitude),
  }));
}

/** The cities with those of `towns.txt` that are none of them. */
function withTowns(cities: readonly City[]): City[] {
  const cityKeys = new Set(cities.map(({ state, folded }) => `${state}|${folded}`));
  const towns = readRows('towns').map(([name = '', state = '', latitude, longitude]): City => {
    const place = { latitude: Number(latitude), longitude: Number(longitude) };
    return { name, state, folded: foldCity(name), entries: [], ...place };
  });
  const otherTowns = towns.filter(({ state, folded }) => !cityKeys.has(`${state}|${folded}`));
  return [...cities, ...otherTowns].sort((left, right) => compare(toCityKey(left), toCityKey(right)));
}

/** Entries whose coordinates can be believed as they are, or as those of their city or three-digit area. */
function repaired(entries: readonly Entry[]): Entry[] {
  const located = entries.filter(({ latitude, longitude }) => latitude !== 0 && longitude !== 0);
  const areas = mapValues(Map.groupBy(located, computeArea), computeMiddle);
  const sound = located.filter((entry) => {
    const area = areas.get(computeArea(entry));
    return (
      WIDE.has(entry.state) || isCanadian(entry) || (area !== undefined && distance(entry, area) <= ASTRAY)
    );
  });
  const cities = mapValues(Map.groupBy(sound, cityKey), computeMiddle);
  const believed = new Set(sound);
  return entries.flatMap((entry) => {
    if (believed.has(entry)) return [entry];
    const better = cities.get(cityKey(entry)) ?? areas.get(computeArea(entry));
    return better === undefined ? [] : [{ ...entry, ...better }];
  });
}

function toCities(entries: readonly Entry[]): City[] {
  const namedEntries = entries.map((entry) =>
    isName(entry.city) ? entry : { ...entry, city: nearestName(entry, entries) },
  );
  return [...Map.groupBy(namedEntries, cityKey).values()]
    .map((group) => {
      const { city, state } = group[0] ?? { city: '', state: '' };
      const middle = computeMiddle(group);
      return { name: displayName(group), state, folded: foldCity(city), entries: group, ...middle };
    })
    .sort((left, right) => compare(toCityKey(left), toCityKey(right)));
}

/** Some ZIP codes belong to one company or mailbox: `Shell Oil Box 150` is no city. */
function isName(city: string): boolean {
  return /^[A-Za-z .'-]+$/.test(city);
}

function nearestName(entry: Entry, entries: readonly Entry[]): string {
  const around = entries.filter(({ state, city }) => state === entry.state && isName(city));
  const nearest = around.reduce((best, other) =>
    distance(other, entry) < distance(best, entry) ? other : best,
  );
  return nearest.city;
}

/** The spelling most ZIP codes use, `Mcallen` as `McAllen`. */
function displayName(group: readonly Entry[]): string {
  const spellings = [...Map.groupBy(group, ({ city }) => city)];
  spellings.sort(([a, left], [b, right]) => right.length - left.length || compare(a, b));
  const [name = ''] = spellings[0] ?? [];
  return name.replace(/\bMc([a-z])/, (_, letter: string) => `Mc${letter.toUpperCase()}`);
}

function computeArea({ zip }: Entry): string {
  return zip.slice(0, 3);
}

function cityKey({ city, state }: Entry): string {
  return `${state}|${foldCity(city)}`;
}

/** Median by each axis over different points: blocks of mailboxes at one desk and typing errors do not move it. */
function computeMiddle(entries: readonly Entry[]): { latitude: number; longitude: number } {
  const points = Map.groupBy(entries, ({ latitude, longitude }) => `${latitude},${longitude}`);
  const different = [...points.values()].flatMap(([entry]) => entry ?? []);
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return {
    latitude: median(different.map(({ latitude }) => latitude)),
    longitude: median(different.map(({ longitude }) => longitude)),
  };
}

function distance(
  left: { latitude: number; longitude: number },
  right: { latitude: number; longitude: number },
): number {
  return Math.hypot(left.latitude - right.latitude, left.longitude - right.longitude);
}

function mapValues<Key, In, Out>(map: ReadonlyMap<Key, In>, change: (value: In) => Out): Map<Key, Out> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

if (import.meta.main) {
  const file = fileURLToPath(new URL('../lib/data/gazetteer.bin', import.meta.url));
  const packed = brotliCompressSync(serialize(buildGazetteer()), {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    },
  });
  writeFileSync(file, packed);
  console.log(`${file}: ${packed.byteLength} bytes`);
}
