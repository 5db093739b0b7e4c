import { toSlug } from '../../domain/accounts/slug.ts';
import {
  type FeedTarget,
  findMeanings,
  foldColumn,
  isKept,
  LIST_FIELDS,
} from '../../domain/columns/feed-columns.ts';
import { addUnit } from '../../domain/columns/named-units.ts';
import { imageItems } from '../../domain/images/images.ts';
import { listItems } from '../../domain/listing/read-field.ts';
import { remember } from '../../domain/text/remember.ts';
import { flatText, isBlank } from '../../domain/text/text.ts';
import { blockedBody, readBody } from '../../domain/vocabulary/body.ts';
import type { FeedPlan } from './feed-mapping.ts';
import { fits, isSold, isUsable, meansCall, readOffLot, saysSold, YES } from './feed-values.ts';
import { flatten } from './flatten-row.ts';
import { readRowTitle } from './row-title.ts';

/** A row of a dealer's file as a record of the inventory. */
export type FeedRecord = Record<string, unknown>;

/** Columns that name the maker of a part, which stands before the part's own text. */
const MADE_PARTS: Partial<Readonly<Record<FeedTarget, 'engine' | 'transmission'>>> = {
  engine_make: 'engine',
  transmission_make: 'transmission',
};

/** What gathers while a row is read, beside the record. */
interface Building {
  record: FeedRecord;
  attributes: FeedRecord;
  lists: Map<FeedTarget, unknown[]>;
  makers: Partial<Record<'engine' | 'transmission', string>>;
}

/** Names that no plan knows and that are looked up nevertheless, of the rows that are read in one go. */
const MAX_UNKNOWN = 2_000;

/**
 * Makes the function that turns the rows of a file into records: values under the names of the inventory, everything
 * else under `attributes`, blanks left out. Defaults come later (`withDefaults`), after the VIN was asked for the class.
 */
export function recordReader(plan: FeedPlan): (row: Readonly<Record<string, unknown>>) => FeedRecord {
  const known = new Map(plan.columns.map((planned) => [planned.column, planned]));
  const taken = new Set(plan.columns.flatMap(({ field }) => field ?? []));
  const alike = new Map(plan.columns.map((planned) => [foldColumn(planned.column), planned]));
  let unknown = 0;
  const planned = remember((column) => {
    const exact = known.get(column);
    if (exact) return exact;
    unknown += 1;
    if (unknown > MAX_UNKNOWN) return { field: null, kept: false };
    const found = alike.get(foldColumn(column));
    if (found) return found;
    const [meaning] = findMeanings(column);
    const field = meaning && !meaning.weak && !taken.has(meaning.field) ? meaning.field : null;
    return { field, kept: field === null && isKept(column) };
  });
  return (row) => {
    const building: Building = { record: {}, attributes: {}, lists: new Map(), makers: {} };
    if (plan.open)
      for (const [column, value] of flatten(row)) put(building, plan, planned(column), column, value);
    else
      for (const each of plan.columns) {
        const value = row[each.column];
        if (value !== undefined) put(building, plan, each, each.column, value);
      }
    fallBack(building, plan, row);
    if (plan.title !== undefined) readTitle(building, plan.title);
    return toRecord(building);
  };
}

const isAbsent = (value: unknown) => value === null || (typeof value === 'string' && isBlank(value));

function put(
  building: Building,
  plan: FeedPlan,
  { field, kept }: { field: FeedTarget | null; kept: boolean },
  column: string,
  value: unknown,
): void {
  const { record, attributes, makers } = building;
  const part = field && MADE_PARTS[field];
  if (field === 'price' && isSold(value)) record.status = 'sold';
  if (field === 'price' && plan.zeroPriceIsCall && meansCall(value)) record.price ??= null;
  else if (isAbsent(value)) return;
  else if (field === null) {
    if (kept) attributes[column] = value;
  } else if (LIST_FIELDS.has(field)) gather(building, field, column, value);
  else if (field === 'sold') {
    if (saysSold(value)) record.status = 'sold';
  } else if (part) makers[part] ??= flatText(value);
  else if (record[field] === undefined || record[field] === null) {
    const read = readAs(field, column, value);
    if (read !== null) record[field] = read;
    else if (field === 'mileage') attributes[column] = value;
  }
}

/** Where a field's own column says nothing usable, the first of its other columns that does is heard. */
function fallBack(
  { record, attributes }: Building,
  { columns, fallbacks = {}, open }: FeedPlan,
  row: Readonly<Record<string, unknown>>,
): void {
  const others = Object.entries(fallbacks) as [FeedTarget, string[]][];
  if (others.length === 0) return;
  const values = open ? Object.fromEntries(flatten(row)) : row;
  for (const [field, names] of others) {
    const own = columns.find((planned) => planned.field === field)?.column ?? '';
    const sent = values[own];
    if (isUsable(field, sent)) {
      if (field === 'body_type')
        addBodies(
          record,
          names.map((name) => values[name]),
        );
      continue;
    }
    const column = names.find((name) => isUsable(field, values[name]) && fits(field, [values[name]]));
    if (column === undefined) continue;
    if (field === 'body_type') record.cab ??= cabIn(sent);
    const read = readAs(field, column, values[column]);
    if (read !== null) record[field] = read;
    if (field !== 'price' && sent !== undefined && !isAbsent(sent)) attributes[own] = sent;
  }
}

/** The text itself stays as it was sent. */
function readTitle({ record, attributes }: Building, column: string): void {
  const title = readRowTitle(attributes[column]);
  if (title === null) return;
  const { body, ...parts } = title;
  for (const [name, value] of Object.entries(parts)) record[name] ??= value;
  if (fits('body_type', [body]) && body !== '') record.body_type ??= body;
}

/** An upfit's column may say more of the body than the chassis' own: which does is decided where records are read. */
function addBodies(record: FeedRecord, others: readonly unknown[]): void {
  const named = others.filter(
    (text) =>
      isUsable('body_type', text) && fits('body_type', [text]) && blockedBody(flatText(text)) === null,
  );
  if (named.length > 0) record.body_type = [record.body_type, ...named];
}

/** `Regular Cab` is no body, but a cab. */
const cabIn = (body: unknown): string | undefined =>
  typeof body === 'string' && readBody(body).cab !== null ? body : undefined;

/** Several columns may add to one list. */
function gather({ lists }: Building, field: FeedTarget, column: string, value: unknown): void {
  const target = field === 'feature' ? 'features' : field;
  const list = lists.get(target) ?? [];
  lists.set(target, list);
  if (field === 'images') list.push(...(imageItems(value) ?? [value]));
  else if (field === 'feature') list.push(...equipment(column, value));
  else list.push(...toItems(value));
}

function toItems(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? listItems(value) : [value];
}

const NO = /^(?:n|no|false|f|0|none|n\/a|na|-)$/i;

/** `APU: Y` is the feature APU, `APU: N` is none; any other value tells which. */
function equipment(column: string, value: unknown): string[] {
  const text = flatText(value);
  if (text === '' || NO.test(text)) return [];
  return [YES.test(text) ? column.trim() : `${column.trim()}: ${text}`];
}

/** Whether a number in `Miles/Hrs` is one of miles, only its unit tells. */
const OR_HOURS = /\bh(?:ou)?rs?\b/i;

function readAs(field: FeedTarget, column: string, value: unknown): unknown {
  if (field === 'status') return readOffLot(value);
  if (field === 'location') return readPlaceCell(value);
  if (field === 'dealer') return readDealerCell(value);
  if (field === 'cab' && /sleeper|slpr/i.test(column)) return readSleeper(flatText(value));
  if (field === 'year') return readShortYear(value);
  if (field === 'mileage' && OR_HOURS.test(column) && !/\p{L}/u.test(flatText(value))) return null;
  return addUnit(field, column, value);
}

/** `19` of a column of model years; contract and rules want four digits. */
function readShortYear(value: unknown): unknown {
  const text = flatText(value);
  if (!/^'?\d\d$/.test(text)) return value;
  const digits = Number(text.slice(-2));
  return digits < 90 ? 2000 + digits : 1900 + digits;
}

/** A column of sleepers says how long they are, or whether there is one. */
function readSleeper(text: string): string | null {
  if (NO.test(text)) return null;
  if (YES.test(text)) return 'Sleeper';
  return /^\d+\D{0,3}$/.test(text) ? `${text}${/\D/.test(text) ? '' : ' in'} sleeper` : text;
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
    const { region, ...rest }: Record<string, unknown> = JSON.parse(value);
    return region === undefined ? rest : { state: region, ...rest };
  } catch {
    return null;
  }
}

function toRecord({ record, attributes, lists, makers }: Building): FeedRecord {
  for (const [field, items] of lists) if (items.length > 0) record[field] = items;
  for (const [field, maker] of Object.entries(makers)) {
    const text = flatText(record[field]);
    const isNamed = text.toLowerCase().startsWith(maker.toLowerCase());
    record[field] = isNamed ? text : `${maker} ${text}`.trim();
  }
  if (Object.keys(attributes).length > 0) record.attributes = attributes;
  return record;
}

const OF_A_TRUCK = ['year', 'make', 'model', 'mileage'] as const;

/** A note between the trucks, or their sum: nothing of a truck, in a file that has a column of VINs. */
export function isNote(record: FeedRecord, { columns }: FeedPlan): boolean {
  if (OF_A_TRUCK.some((name) => record[name] !== undefined)) return false;
  const { vin = '' } = record;
  return columns.some(({ field }) => field === 'vin') && !/\d{3}/.test(flatText(vin));
}

/** True when nothing tells the weight class: neither itself nor a weight. */
export function lacksClass(record: FeedRecord): boolean {
  return record.class === undefined && record.gvwr === undefined;
}

/** The class from somewhere else than the file, and where from. */
export function withClass(record: FeedRecord, value: unknown, source: 'vin' | 'default'): FeedRecord {
  const attributes = typeof record.attributes === 'object' ? record.attributes : {};
  return { ...record, class: value, attributes: { ...attributes, class_source: source } };
}

/** Fills what the row left empty. */
export function withDefaults(record: FeedRecord, { defaults }: FeedPlan): FeedRecord {
  const filled: FeedRecord = { ...record };
  for (const [field, value] of Object.entries(defaults))
    if (field !== 'class' && filled[field] === undefined) filled[field] = value;
  const { class: weightClass } = defaults;
  return weightClass != null && lacksClass(filled) ? withClass(filled, weightClass, 'default') : filled;
}
