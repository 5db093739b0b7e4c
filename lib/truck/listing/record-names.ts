import { addUnit, findUnit, foldName, splitName, withoutUnits } from '../names/named-units.ts';
import { entryFor, PLACE_NAMES, RECORD, type RecordName, typedKeys } from '../record/record.ts';
import { remember } from '../text/remember.ts';
import { toList } from '../text/table.ts';
import { isBlank, unwrapCell } from '../text/text.ts';

/** Sorts the members of a record by the field that their names stand for. */

/** Members that the service adds to a listing; they are ignored in a record. */
const READ_ONLY = toList(`
  dedup_hash, vin_facts, quality, derived, origins, price_history, market_position, sources, observed_at,
  first_seen_at, updated_at, sold_at, delisted_at
`);

/** The field of a member; `read_only` for members that only the service writes. */
export type Slot = RecordName | 'read_only';

interface Meaning {
  slot: Slot;
  /** Position among the accepted names: the lowest non-blank one wins. */
  rank: number;
}

const PLACE_MEANINGS = indexMeanings(PLACE_NAMES);
const MEANINGS = new Map([
  ...indexMeanings(typedKeys(RECORD)),
  ...READ_ONLY.map((name): [string, Meaning] => [name, { slot: 'read_only', rank: 0 }]),
]);

/** The most members of a record to read, as many as a feed's file may have columns. */
export const MAX_MEMBERS = 1_000;

/** The members of a record by field. */
export interface CollectedRecord {
  /** The first non-blank value of each. */
  values: Map<Slot, unknown>;
  /** Fields that were sent as null, and with a value under no name. */
  nulls: Set<Slot>;
  unknown: [string, unknown][];
  /** Names of the members beyond MAX_MEMBERS. */
  unread: string[];
}

/** Sorts a record's own members by field. A blank text counts as absent. */
export function collectRecord(record: object): CollectedRecord {
  return collect(record, MEANINGS);
}

/** Sorts the members of `location` by field. */
export function collectPlace(location: object): CollectedRecord {
  return collect(location, PLACE_MEANINGS);
}

/** Returns the field of a member's name. */
export const findSlot = (name: string): Slot | undefined => (MEANINGS.get(name) ?? findAlias(name))?.slot;

/** Whether a record has a member for the field, be it blank or null. */
export const hasMember = (record: object, slot: Slot): boolean =>
  Object.keys(record).some((name) => findSlot(name) === slot);

function collect(record: object, meanings: ReadonlyMap<string, Meaning>): CollectedRecord {
  const members: (Meaning & { key: string; raw: unknown })[] = [];
  const nulls = new Set<Slot>();
  const unknown: [string, unknown][] = [];
  const names = Object.keys(record);
  for (const key of names.slice(0, MAX_MEMBERS)) {
    const cell: unknown = Reflect.get(record, key);
    const raw = typeof cell === 'string' ? unwrapCell(cell) : cell;
    const meaning = meanings.get(key) ?? (meanings === MEANINGS ? findAlias(key) : undefined);
    if (meaning === undefined) unknown.push([key, raw]);
    else if (raw === null) nulls.add(meaning.slot);
    else if (!isAbsent(raw)) members.push({ ...meaning, key, raw });
  }
  const values = new Map<Slot, unknown>();
  for (const { slot, key, raw } of members.sort((one, other) => one.rank - other.rank)) {
    // All texts of the body are kept, because chooseBody compares them.
    if (slot === 'body_type' && values.has(slot)) values.set(slot, [values.get(slot), raw].flat());
    else if (!values.has(slot)) values.set(slot, addUnit(slot, key, raw));
    nulls.delete(slot);
  }
  return { values, nulls, unknown, unread: names.slice(MAX_MEMBERS) };
}

const ALIAS_RANK = 100;
/** Names of columns that records may use as well: those of exactly one field, which is not a required one. */
const ALIASES: ReadonlyMap<string, Meaning> = indexAliases();

function indexAliases(): ReadonlyMap<string, Meaning> {
  const meanings = new Map<string, Meaning | null>();
  for (const slot of typedKeys(RECORD)) {
    const { columns = [], names, weak = [], required, kind } = entryFor(slot);
    if (columns === false || required || (kind === 'part' && slot !== 'images')) continue;
    for (const [rank, name] of [...names, ...columns].entries()) {
      const key = foldName(name);
      const other = meanings.get(key);
      if (weak.includes(name) || other?.slot === slot) continue;
      meanings.set(key, other === undefined ? { slot, rank: ALIAS_RANK + rank } : null);
    }
  }
  return new Map([...meanings].flatMap(([key, meaning]) => (meaning === null ? [] : [[key, meaning]])));
}

/** Contract names are exact; any other spelling of case, blanks and dashes is an alias. */
const findAlias = remember((key) =>
  key.length > MAX_ALIAS ? undefined : (ALIASES.get(foldName(key)) ?? findWithUnit(key)),
);
const MAX_ALIAS = 60;

/** Words beside a unit that do not name a field. */
const FILLERS = /\b(?:in|en|amount|amt|value|total|current|actual|vehicle|truck|unit)\b/g;

/** Finds the field of a name with a unit: `gvwr_kg`, `priceCad`, `mileage_in_km`. */
function findWithUnit(key: string): Meaning | undefined {
  const words = withoutUnits(splitName(key))
    .replace(FILLERS, ' ')
    .replace(/\bodom?\b/, 'odometer');
  const meaning = ALIASES.get(foldName(words));
  return meaning && findUnit(meaning.slot, key) !== null ? meaning : undefined;
}

function isAbsent(raw: unknown): boolean {
  return raw === undefined || (typeof raw === 'string' && isBlank(raw));
}

function indexMeanings(slots: readonly RecordName[]): ReadonlyMap<string, Meaning> {
  return new Map(
    slots.flatMap((slot) => entryFor(slot).names.map((name, rank) => [name, { slot, rank }] as const)),
  );
}
