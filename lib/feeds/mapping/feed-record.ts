import { toSlug } from '../../accounts/dealers/schemas.ts';
import { splitItems } from '../../truck/listing/read-field.ts';
import { addUnit, foldName } from '../../truck/names/named-units.ts';
import { remember } from '../../truck/text/remember.ts';
import { flatText } from '../../truck/text/text.ts';
import { listImageItems } from '../../truck/text/url.ts';
import { type FeedTarget, findMeanings, isKept, isList } from './columns.ts';
import type { FeedPlan, PlannedColumn } from './feed-mapping.ts';
import { isAbsent, isNoPrice, NO, readOffLot, saysSold, saysSomething, YES } from './feed-values.ts';
import { flatten } from './flatten-row.ts';

/** A row of a dealer's file as a record of the inventory. */
export type FeedRecord = Record<string, unknown>;

/**
 * Makes the function that turns the rows of a file into records: values under the names of the inventory, everything
 * else under `attributes`, blanks left out. Defaults come later (`fillDefaults`), after the VIN was asked for the class.
 */
export function recordReader(plan: FeedPlan): (row: Readonly<Record<string, unknown>>) => FeedRecord {
  const ranked = plan.columns.toSorted((one, other) => one.rank - other.rank);
  const plannedNames = new Set(ranked.map(({ column }) => column));
  const findMeaning = meaningFinder(plan);
  return (row) => {
    const cells = flatten(row);
    const record: FeedRecord = {};
    for (const planned of ranked) put(record, planned, cells.get(planned.column));
    for (const [column, value] of cells)
      if (!plannedNames.has(column)) put(record, { column, ...findMeaning(column) }, value);
    return toRecord(record);
  };
}

type Meaning = Pick<PlannedColumn, 'field' | 'kept'>;

/** Names that no plan knows and that are looked up nevertheless, of the rows that are read in one go. */
const MAX_UNKNOWN = 2_000;

function meaningFinder({ columns }: FeedPlan): (column: string) => Meaning {
  const alike = new Map(columns.map((planned) => [foldName(planned.column), planned]));
  const takenFields = new Set(columns.map(({ field }) => field));
  let lookups = 0;
  return remember((column) => {
    lookups += 1;
    if (lookups > MAX_UNKNOWN) return { field: null, kept: false };
    const [meaning] = findMeanings(column);
    const field = meaning && !meaning.weak && !takenFields.has(meaning.field) ? meaning.field : null;
    return alike.get(foldName(column)) ?? { field, kept: field === null && isKept(column) };
  });
}

function put(
  record: FeedRecord,
  { column, field, kept: isExtra }: Meaning & { column: string },
  value: unknown,
) {
  if (field === 'price' && value !== undefined && isNoPrice(value)) record.price ??= null;
  else if (isAbsent(value)) return;
  else if (field === null) {
    if (isExtra) keepAside(record, column, value);
  } else if (field === 'sold' || field === 'status') {
    const status = field === 'sold' ? saysSold(value) && 'sold' : readOffLot(value);
    if (status) record.status ??= status;
  } else if (isList(field)) {
    const name = field === 'feature' ? 'features' : field;
    const items = [record[name] ?? [], toItems(field, column, value)].flat();
    if (items.length > 0) record[name] = items;
  } else if (saysSomething(record[field])) keepAside(record, column, value);
  else if (record[field] === undefined || saysSomething(value))
    record[field] = readCell(field, column, value) ?? record[field];
  if (field === 'price' && readOffLot(value) === 'sold') record.status = 'sold';
}

function keepAside(record: FeedRecord, column: string, value: unknown) {
  record.attributes = Object.assign(record.attributes ?? {}, { [column]: value });
}

function toItems(field: FeedTarget, column: string, value: unknown) {
  if (field === 'images') return listImageItems(value) ?? [value];
  if (field === 'feature') return readEquipment(column.trim(), flatText(value));
  return field === 'features' && typeof value === 'string' ? splitItems(value) : [value].flat();
}

/** `APU: Y` is the feature APU, `APU: N` is none; any other value tells which. */
function readEquipment(name: string, text: string) {
  if (NO.test(text)) return [];
  return [YES.test(text) ? name : `${name}: ${text}`];
}

function toRecord(record: FeedRecord) {
  const { body_type: bodies } = record;
  if (Array.isArray(bodies) && bodies.length === 1) record.body_type = bodies[0];
  for (const part of ['engine', 'transmission']) joinMaker(record, part);
  return record;
}

/** The maker of a part, which has a column of its own, stands before the part's own text. */
function joinMaker(record: FeedRecord, part: string) {
  const { [`${part}_make`]: maker, [part]: partText } = record;
  if (maker === undefined) return;
  delete record[`${part}_make`];
  const [make, text] = [flatText(maker), flatText(partText)];
  record[part] = text.toLowerCase().startsWith(make.toLowerCase()) ? text : `${make} ${text}`.trim();
}

/** Whether a number in `Miles/Hrs` is one of miles, only its unit tells. */
const OR_HOURS = /\bh(?:ou)?rs?\b/i;

/** A value as the record has it; null where it says nothing. */
function readCell(field: FeedTarget, column: string, value: unknown) {
  if (field === 'dealer') return readDealerCell(value);
  if (field === 'cab' && /sleeper|slpr/i.test(column)) return readSleeper(flatText(value));
  if (field === 'year') return readShortYear(value);
  if (field === 'mileage' && OR_HOURS.test(column) && !/\p{L}/u.test(flatText(value))) return null;
  return addUnit(field, column, value);
}

/** `19` of a column of model years; contract and rules want four digits. */
function readShortYear(value: unknown) {
  const [, digits] = /^'?(\d\d)$/.exec(flatText(value)) ?? [];
  return digits === undefined ? value : Number(digits) + (Number(digits) < 90 ? 2000 : 1900);
}

/** A column of sleepers says how long they are, or whether there is one. */
function readSleeper(text: string) {
  if (NO.test(text)) return null;
  if (YES.test(text)) return 'Sleeper';
  return /^\d+\D{0,3}$/.test(text) ? `${text} sleeper` : text;
}

/** Files name a dealer as people do. A name that is cut short could be another dealer's. */
function readDealerCell(value: unknown) {
  const slug = toSlug(flatText(value));
  return slug === '' || slug.length >= 64 ? value : slug;
}
