import { FIELDS, type FieldName, IMAGE_NAMES, LOCATION_NAMES, VIN_NAMES } from '../../contract/fields.ts';

import { isBlank } from '../text/text.ts';

/** Which member of a record means what: the accepted names of contract section 2, and our own. */

export type PlaceName = keyof typeof LOCATION_NAMES;
export type Slot =
  | FieldName
  | PlaceName
  | 'vin'
  | 'images'
  | 'location'
  | 'status'
  | 'dealer'
  | 'source_provider_id'
  | 'attributes'
  | 'read_only';

/** What the service adds to a listing: a record read from it and posted again means nothing by these. */
const READ_ONLY = [
  'dedup_hash',
  'vin_facts',
  'quality',
  'derived',
  'price_history',
  'market_position',
  'sources',
  'observed_at',
  'first_seen_at',
  'updated_at',
  'sold_at',
  'delisted_at',
] as const;

interface Meaning {
  slot: Slot;
  /** Position among the accepted names: the lowest non-blank one wins. */
  rank: number;
}

const PLACE_MEANINGS = meanings(placeNames());
const MEANINGS = meanings([
  ['vin', VIN_NAMES],
  ...Object.entries(FIELDS).map(([name, { names }]) => [name as FieldName, names] as const),
  ...placeNames(),
  ['images', IMAGE_NAMES],
  ['location', ['location']],
  ['status', ['status']],
  ['dealer', ['dealer', 'dealer_slug']],
  ['source_provider_id', ['source_provider_id']],
  ['attributes', ['attributes']],
  ['read_only', READ_ONLY],
]);

/** What a record says, by meaning. */
export interface Collected<Name extends string = Slot> {
  /** The first non-blank value of each. */
  values: Map<Name, unknown>;
  /** Sent as null, under any name, and not otherwise. */
  nulls: Set<Name>;
  unknown: [string, unknown][];
}

/** Sorts a record's own members by meaning. A blank text counts as absent. */
export function collectRecord(record: object): Collected {
  return collect(record, MEANINGS);
}

/** The same for the members of `location`. */
export function collectPlace(location: object): Collected {
  return collect(location, PLACE_MEANINGS);
}

function collect(record: object, meaningOf: ReadonlyMap<string, Meaning>): Collected {
  const values = new Map<Slot, unknown>();
  const ranks = new Map<Slot, number>();
  const nulls = new Set<Slot>();
  const unknown: [string, unknown][] = [];
  for (const [key, raw] of Object.entries(record)) {
    const meaning = meaningOf.get(key);
    if (meaning === undefined) unknown.push([key, raw]);
    else if (raw === null) nulls.add(meaning.slot);
    else if (!isAbsent(raw)) {
      const { slot, rank } = meaning;
      if (values.has(slot) && rank > (ranks.get(slot) ?? 0)) continue;
      // Most values come under their first name: only the others' ranks are written down.
      if (rank > 0 || ranks.size > 0) ranks.set(slot, rank);
      values.set(slot, raw);
    }
  }
  for (const slot of nulls) if (values.has(slot)) nulls.delete(slot);
  return { values, nulls, unknown };
}

function isAbsent(raw: unknown): boolean {
  return raw === undefined || (typeof raw === 'string' && isBlank(raw));
}

function placeNames(): [PlaceName, readonly string[]][] {
  return [
    ['city', LOCATION_NAMES.city],
    ['state', LOCATION_NAMES.state],
    ['zip', LOCATION_NAMES.zip],
    ['latitude', LOCATION_NAMES.latitude],
    ['longitude', LOCATION_NAMES.longitude],
  ];
}

function meanings(slots: readonly (readonly [Slot, readonly string[]])[]): ReadonlyMap<string, Meaning> {
  return new Map(
    slots.flatMap(([slot, names]) => names.map((name, rank) => [name, { slot, rank }] as const)),
  );
}
