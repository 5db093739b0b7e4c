import { toSlug } from '../../accounts/dealers/schemas.ts';
import { imageItems } from '../../images/names/images.ts';
import {
  type FeedTarget,
  findMeanings,
  foldColumn,
  isKept,
  isList,
} from '../../truck/columns/feed-columns.ts';
import { addUnit } from '../../truck/columns/named-units.ts';
import { listItems } from '../../truck/listing/read-field.ts';
import { remember } from '../../truck/text/remember.ts';
import { flatText } from '../../truck/text/text.ts';
import type { FeedPlan, PlannedColumn } from './feed-mapping.ts';
import { isAbsent, isNoPrice, NO, readOffLot, saysSold, saysSomething, YES } from './feed-values.ts';
import { flatten } from './flatten-row.ts';
import { readRowTitle } from './row-title.ts';

/** A row of a dealer's file as a record of the inventory. */
export type FeedRecord = Record<string, unknown>;

/** What gathers while a row is read. */
interface Building {
  record: FeedRecord;
  attributes: FeedRecord;
  lists: Map<string, unknown[]>;
  /** Fields of several columns. */
  shared: ReadonlySet<FeedTarget | null>;
  /** Those of which a column has said something. */
  finalFields: Set<FeedTarget>;
}

/**
 * Makes the function that turns the rows of a file into records: values under the names of the inventory, everything
 * else under `attributes`, blanks left out. Defaults come later (`fillDefaults`), after the VIN was asked for the class.
 */
export function recordReader(plan: FeedPlan): (row: Readonly<Record<string, unknown>>) => FeedRecord {
  const ranked = plan.columns.toSorted((one, other) => one.rank - other.rank);
  const plannedNames = new Set(ranked.map(({ column }) => column));
  const fields = ranked.map(({ field }) => field);
  const shared = new Set(fields.filter((field, at) => fields.indexOf(field) < at));
  const findMeaning = meaningFinder(plan);
  return (row) => {
    const cells = flatten(row);
    const building: Building = {
      record: {},
      attributes: {},
      lists: new Map(),
      shared,
      finalFields: new Set(),
    };
    for (const planned of ranked) put(building, plan, planned, cells.get(planned.column));
    for (const [column, value] of cells)
      if (!plannedNames.has(column)) put(building, plan, { column, ...findMeaning(column) }, value);
    return toRecord(building);
  };
}

type Meaning = Pick<PlannedColumn, 'field' | 'kept'>;

/** Names that no plan knows and that are looked up nevertheless, of the rows that are read in one go. */
const MAX_UNKNOWN = 2_000;

function meaningFinder({ columns }: FeedPlan): (column: string) => Meaning {
  const alike = new Map(columns.map((planned) => [foldColumn(planned.column), planned]));
  const taken = new Set(columns.map(({ field }) => field));
  let unknown = 0;
  return remember((column) => {
    unknown += 1;
    if (unknown > MAX_UNKNOWN) return { field: null, kept: false };
    const [meaning] = findMeanings(column);
    const field = meaning && !meaning.weak && !taken.has(meaning.field) ? meaning.field : null;
    return alike.get(foldColumn(column)) ?? { field, kept: field === null && isKept(column) };
  });
}

function put(
  { record, attributes, lists, shared, finalFields }: Building,
  { zeroPriceIsCall }: FeedPlan,
  { column, field, kept }: Meaning & { column: string },
  value: unknown,
): void {
  if (field === 'price' && readOffLot(value) === 'sold') record.status = 'sold';
  if (field === 'price' && value !== undefined && zeroPriceIsCall && isNoPrice(value)) record.price ??= null;
  else if (isAbsent(value)) return;
  else if (field === null || finalFields.has(field)) {
    if (kept || field !== null) attributes[column] = value;
  } else if (field === 'sold' || field === 'status') {
    const status = field === 'sold' ? saysSold(value) && 'sold' : readOffLot(value);
    if (status) record.status ??= status;
  } else if (isList(field)) {
    const name = field === 'feature' ? 'features' : field;
    const items = lists.get(name) ?? [];
    lists.set(name, items);
    for (const item of toItems(field, column, value)) items.push(item);
  } else {
    const read = readCell(field, column, value);
    if (read === null) return;
    if (shared.has(field) && saysSomething(value)) finalFields.add(field);
    if (finalFields.has(field) || record[field] === undefined) record[field] = read;
  }
}

function toItems(field: FeedTarget, column: string, value: unknown): readonly unknown[] {
  if (field === 'images') return imageItems(value) ?? [value];
  if (field === 'feature') return readEquipment(column.trim(), flatText(value));
  return field === 'features' && typeof value === 'string' ? listItems(value) : [value].flat();
}

/** `APU: Y` is the feature APU, `APU: N` is none; any other value tells which. */
function readEquipment(name: string, text: string): string[] {
  if (text === '' || NO.test(text)) return [];
  return [YES.test(text) ? name : `${name}: ${text}`];
}

function toRecord({ record, attributes, lists }: Building): FeedRecord {
  for (const [field, items] of lists)
    if (items.length > 0) record[field] = field === 'body_type' && items.length === 1 ? items[0] : items;
  for (const part of ['engine', 'transmission']) joinMaker(record, part);
  if (Object.keys(attributes).length > 0) record.attributes = attributes;
  const isNamed = record.year !== undefined || record.make !== undefined;
  return isNamed ? record : { ...readRowTitle(Object.values(attributes)), ...record };
}

/** The maker of a part, which has a column of its own, stands before the part's own text. */
function joinMaker(record: FeedRecord, part: string): void {
  const { [`${part}_make`]: maker, [part]: named } = record;
  if (maker === undefined) return;
  delete record[`${part}_make`];
  const [make, text] = [flatText(maker), flatText(named)];
  record[part] = text.toLowerCase().startsWith(make.toLowerCase()) ? text : `${make} ${text}`.trim();
}

/** Whether a number in `Miles/Hrs` is one of miles, only its unit tells. */
const OR_HOURS = /\bh(?:ou)?rs?\b/i;

/** A value as the record has it; null where it says nothing. */
function readCell(field: FeedTarget, column: string, value: unknown): unknown {
  if (field === 'location') return readPlaceCell(value);
  if (field === 'dealer') return readDealerCell(value);
  if (field === 'cab' && /sleeper|slpr/i.test(column)) return readSleeper(flatText(value));
  if (field === 'year') return readShortYear(value);
  if (field === 'mileage' && OR_HOURS.test(column) && !/\p{L}/u.test(flatText(value))) return null;
  return addUnit(field, column, value);
}

/** `19` of a column of model years; contract and rules want four digits. */
function readShortYear(value: unknown): unknown {
  const [, digits] = /^'?(\d\d)$/.exec(flatText(value)) ?? [];
  if (digits === undefined) return value;
  return Number(digits) + (Number(digits) < 90 ? 2000 : 1900);
}

/** A column of sleepers says how long they are, or whether there is one. */
function readSleeper(text: string): string | null {
  if (NO.test(text)) return null;
  if (YES.test(text)) return 'Sleeper';
  return /^\d+\D{0,3}$/.test(text) ? `${text} sleeper` : text;
}

/** Files name a dealer as people do. A name that is cut short could be another dealer's. */
function readDealerCell(value: unknown): unknown {
  const slug = toSlug(flatText(value));
  return slug === '' || slug.length >= 64 ? value : slug;
}

/** An address may come as JSON in a cell, with Meta's names. */
function readPlaceCell(value: unknown): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return value;
  try {
    const flat = Object.entries(JSON.parse(value)).filter(([, part]) => typeof part !== 'object');
    const { region, ...rest }: Record<string, unknown> = Object.fromEntries(flat);
    return region === undefined ? rest : { state: region, ...rest };
  } catch {
    return null;
  }
}

const OF_A_TRUCK = ['year', 'make', 'model', 'mileage'] as const;

/** A note between the trucks, or their sum: nothing of a truck, in a file that has a column of VINs. */
export function isNote(record: FeedRecord, { columns }: FeedPlan): boolean {
  if (OF_A_TRUCK.some((name) => record[name] !== undefined)) return false;
  return columns.some(({ field }) => field === 'vin') && !/\d{3}/.test(flatText(record.vin));
}

/** True when nothing tells the weight class: neither itself nor a weight. */
export const lacksClass = (record: FeedRecord): boolean =>
  record.class === undefined && record.gvwr === undefined;

/** Fills what the row left empty; a class only where nothing tells it, and it says where it is from. */
export function fillDefaults(
  record: FeedRecord,
  { defaults }: FeedPlan,
  vinClass: unknown = null,
): FeedRecord {
  const { class: defaultClass = null, ...others } = defaults;
  const filled = { ...others, ...record };
  const known = vinClass ?? defaultClass;
  if (known === null || !lacksClass(filled)) return filled;
  const source = vinClass === null ? 'default' : 'vin';
  return {
    ...filled,
    class: known,
    attributes: Object.assign({}, record.attributes, { class_source: source }),
  };
}
