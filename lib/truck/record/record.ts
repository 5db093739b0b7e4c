import { capitalize } from '../text/text.ts';
import type { Entry, SearchEntry } from './entry.ts';
import { FIELDS } from './fields.ts';
import { PARTS, PLACE_PARTS } from './parts.ts';

/** Names, types and look-ups that derive from the record table. */

export const RECORD = { ...FIELDS, ...PLACE_PARTS, ...PARTS } as const satisfies Record<string, Entry>;
type RecordTable = typeof RECORD;

export type RecordName = keyof RecordTable;
export type FieldName = keyof typeof FIELDS;
export type PlaceName = keyof typeof PLACE_PARTS;

interface ValueByKind {
  text: string;
  block: string;
  integer: number;
  list: string[];
}
type ValueOf<Name extends FieldName> = ValueByKind[(typeof FIELDS)[Name]['kind']];

/** The field values of a truck; null where nothing is known. */
export type TruckFields = { [Name in FieldName]: ValueOf<Name> | null };

/** `Object.keys` of a table whose keys are known. */
export const typedKeys = <Key extends string>(table: Readonly<Record<Key, unknown>>) =>
  Object.keys(table) as Key[];

export const FIELD_NAMES: readonly FieldName[] = typedKeys(FIELDS);
export const PLACE_NAMES: readonly PlaceName[] = typedKeys(PLACE_PARTS);

export const entryFor = (name: RecordName): Entry => RECORD[name];

/** `stock_number` → Stock number. */
export function labelFor(name: string): string {
  const label = Object.hasOwn(RECORD, name) ? entryFor(name as RecordName).label : undefined;
  return label ?? capitalize(name).replaceAll('_', ' ');
}

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(FIELDS, name);
}

type SearchedBy<Key extends keyof SearchEntry, Table> = {
  [Name in keyof Table]: Table[Name] extends { search: Readonly<Record<Key, unknown>> } ? Name : never;
}[keyof Table];

/** Names with a parameter that takes a list of values. */
export type ListedName = SearchedBy<'values', RecordTable>;
/** The type of such a parameter's canonical values. */
export type ListedValue<Name extends ListedName> = RecordTable[Name]['kind'] extends 'integer'
  ? number
  : string;
/** Names with a parameter for kinds, such as `automatic`. */
export type KindName = SearchedBy<'kinds', RecordTable>;
/** Names with parameters for the ends of a range. */
export type RangedName = SearchedBy<'range', RecordTable>;
export type FacetName = SearchedBy<'facet', RecordTable>;

const searchedBy = <Key extends keyof SearchEntry>(key: Key) =>
  typedKeys(RECORD).filter((name) => entryFor(name).search?.[key] !== undefined) as SearchedBy<
    Key,
    RecordTable
  >[];

export const LISTED_NAMES: readonly ListedName[] = searchedBy('values');
export const KIND_NAMES: readonly KindName[] = searchedBy('kinds');
export const RANGED_NAMES: readonly RangedName[] = searchedBy('range');
export const FACET_NAMES: readonly FacetName[] = searchedBy('facet');

/** Plain fields that have a column of their own in `listing_search`. */
export type SearchedField = (ListedName | RangedName) & FieldName;
export const SEARCHED_FIELDS: readonly SearchedField[] = [
  ...new Set<RecordName>([...LISTED_NAMES, ...RANGED_NAMES]),
].filter((name): name is SearchedField => isFieldName(name));

export type SearchedColumn = {
  [Name in SearchedField]: RecordTable[Name]['search'] extends { column: infer Column extends string }
    ? Column
    : Name;
}[SearchedField];

/** The column of `listing_search` that holds a searchable field. */
export const searchColumnFor = (name: RecordName): string => entryFor(name).search?.column ?? name;

/** The texts of an entry for people. */
const TEXTS: ReadonlySet<string> = new Set(['about', 'example', 'examples', 'label', 'spec']);

/** A record table without its texts, as JSON. */
export const describeShape = (table: Readonly<Record<string, Entry>>) =>
  JSON.stringify(table, (key, value: unknown) => (TEXTS.has(key) ? undefined : value));

/** The part of the table that stored documents depend on. */
export const RECORD_SHAPE = describeShape(RECORD);
