import type { Entry, Reader, Unit } from '../record/entry.ts';
import { FIELDS } from '../record/fields.ts';
import { FIELD_NAMES, type FieldName, type TruckFields } from '../record/record.ts';
import { readAmount } from '../text/amounts.ts';
import { currencyIn } from '../text/currency.ts';
import {
  DOLLARS,
  FEET,
  HORSEPOWER,
  INCHES,
  MILES,
  POUNDS,
  readNumber,
  type Units,
  whole,
} from '../text/numbers.ts';
import {
  cleanBlock,
  cleanLine,
  cut,
  grouped,
  isPlaceholder,
  quoted,
  toText,
  withoutMarkup,
} from '../text/text.ts';
import { readUrl } from '../text/url.ts';
import { readYear } from '../text/year.ts';
import { blockedBody, canonicalBody, chooseBody, readBody } from '../vocabulary/body.ts';
import { readCondition } from '../vocabulary/resolve.ts';
import { readWeightClass, readWeightRange, toRatedWeight } from '../vocabulary/weight-class.ts';
import { unreadable, type Warning, warn } from './warn.ts';

/** Reads one value of a field as dealers write it. */

/** Returns the value; undefined when it is left out, with the reason in `warnings`. Never throws. */
type ReadValue = (raw: unknown, warnings: Warning[], name: WarnedField, entry: Entry) => unknown;
/** An unreadable year is no warning: it rejects the record. */
type WarnedField = Exclude<FieldName, 'year'>;

const MAX_FEATURE = 200;

const READERS: Readonly<Record<Exclude<Reader, 'part'>, ReadValue>> = {
  text: (raw, warnings, name, entry) =>
    saysNothing(raw) && name !== 'stock_number' ? undefined : readText(raw, warnings, name, entry),
  block: readBlock,
  integer: readInteger,
  list: readList,
  year: (raw) => readYear(raw) ?? undefined,
  class: readClass,
  gvwr: readGvwr,
  body: readBodyType,
  condition: (...args) => readText(...args, readCondition, 'new or used'),
  url: (...args) => readText(...args, readUrl, 'an http or https URL'),
  currency: (...args) => readText(...args, currencyIn, 'USD, CAD or MXN'),
  distance: (...args) => readText(...args, readDistanceUnit, 'mi or km'),
  wheels: (...args) => readText(...args, readWheels, 'dual or single'),
};

/** The words of a unit, and what a value in it is called in a warning. */
const UNITS: Readonly<Record<Unit, { words: Units; expected: string }>> = {
  lb: { words: POUNDS, expected: 'weight in lb' },
  usd: { words: DOLLARS, expected: 'price, for example 54900 or "CAD 54,900"' },
  mi: { words: MILES, expected: 'number of miles' },
  hp: { words: HORSEPOWER, expected: 'power in hp' },
  in: { words: INCHES, expected: 'length in inches' },
  ft: { words: FEET, expected: 'length in feet' },
};

const READER_BY_FIELD = Object.fromEntries(
  FIELD_NAMES.map((name) => {
    const entry: Entry = FIELDS[name];
    const reader = entry.reader ?? entry.kind;
    if (reader === 'part') throw new TypeError(`${name} has no reader`);
    return [name, { entry, read: READERS[reader] }];
  }),
);

/** Reads a value into `fields`, or leaves it out and says why in `warnings`. Never throws. */
export function readField(
  name: FieldName,
  raw: unknown,
  fields: Partial<TruckFields>,
  warnings: Warning[],
): void {
  const field = READER_BY_FIELD[name];
  const value = field?.read(raw, warnings, name as WarnedField, field.entry);
  // The table's kind of a field gives both its reader and its type.
  if (value !== undefined) (fields as Record<FieldName, unknown>)[name] = value;
}

const saysNothing = (raw: unknown): boolean =>
  typeof raw === 'string' && (isPlaceholder(raw) || /^\s*other\s*$/i.test(raw));

function readText(
  raw: unknown,
  warnings: Warning[],
  name: WarnedField,
  { max = Number.POSITIVE_INFINITY }: Entry,
  read: (sent: string) => string | null = (sent) => sent,
  expected = 'text',
): string | undefined {
  const sent = cleanLine(toText(raw) ?? '');
  const value = sent === '' ? null : read(sent);
  if (value !== null) return shortened(name, value, max, warnings);
  warnings.push(unreadable(name, raw, expected));
  return undefined;
}

function readBlock(raw: unknown, warnings: Warning[], name: WarnedField, { max = 8_000 }: Entry) {
  const value = withoutMarkup(cleanBlock(toText(raw) ?? ''));
  if (value !== '') return shortened(name, value, max, warnings);
  warnings.push(unreadable(name, raw, 'text'));
  return undefined;
}

/** What stands in an odometer's column where the reading is not known. */
const ALL_NINES = new Set([999_999, 9_999_999]);

function readInteger(raw: unknown, warnings: Warning[], name: WarnedField, entry: Entry): number | undefined {
  const { words, expected } = entry.unit ? UNITS[entry.unit] : { words: {}, expected: 'number' };
  const [min, max] = entry.range ?? [0, 2_147_483_647];
  const { value = null, isShortened = false } = readAmount(raw, words) ?? {};
  const isUnknown = entry.unit === 'mi' && ALL_NINES.has(value ?? 0);
  // `26,000 under CDL` is a rating; `under 500,000` is no reading of an odometer, nor a price.
  const isBound = entry.unit !== 'lb' && typeof raw === 'string' && /\bunder\b/i.test(raw);
  if (value !== null && value >= min && value <= max && !isUnknown && !isBound) {
    if (isShortened)
      warnings.push(
        warn('NUMBER_REMARK_DROPPED', { field: name, received: quoted(raw), value: grouped(whole(value)) }),
      );
    return whole(value);
  }
  warnings.push(unreadable(name, raw, `a ${expected}`));
  return undefined;
}

/** A range is no rating to store; the record's reader takes the class from it. */
function readGvwr(raw: unknown, warnings: Warning[], name: WarnedField, entry: Entry): number | undefined {
  const range = readNumber(raw, POUNDS) === null ? readWeightRange(raw) : null;
  if (range === null) {
    const weight = readInteger(raw, warnings, name, entry);
    return weight !== undefined && saysKilograms(raw) ? toRatedWeight(weight) : weight;
  }
  warnings.push(warn('GVWR_RANGE', { received: quoted(raw), class: range.class }));
  return undefined;
}

const saysKilograms = (raw: unknown) =>
  typeof raw === 'string' && /k(?:g|ilo)/i.test(raw) && !/lb|po/i.test(raw);

/**
 * Of a list the text that `chooseBody` goes by. A text that names no body is left out; `read-record` keeps it as the
 * body's description.
 */
function readBodyType(
  raw: unknown,
  warnings: Warning[],
  name: WarnedField,
  entry: Entry,
): string | undefined {
  const chosen = chooseBody(bodyTexts(raw)) ?? raw;
  const text = readText(chosen, warnings, name, entry);
  if (text === undefined || blockedBody(text) !== null || canonicalBody(text) !== null) return text;
  if (readBody(text).cab === null)
    warnings.push(unreadable(name, chosen, 'a truck body, for example "box truck"'));
  return undefined;
}

/** As much as is read of the texts that tell the body: more than any listing says. */
const MAX_BODY_TEXTS = 5;
const MAX_BODY_TEXT = 80;

/** The texts that tell the body where several were sent. */
export const bodyTexts = (raw: unknown): string[] =>
  [raw]
    .flat()
    .slice(0, MAX_BODY_TEXTS)
    .map((text) => cut(cleanLine(toText(text) ?? ''), MAX_BODY_TEXT))
    .filter((text) => text !== '');

function readDistanceUnit(text: string): 'mi' | 'km' | null {
  if (/^k(?:m|il|$)/i.test(text)) return 'km';
  return /^m(?:i|$)/i.test(text) ? 'mi' : null;
}

/** `DRW`, `Dual`, `Y` of a column that asks for dual wheels. */
function readWheels(text: string): 'dual' | 'single' | null {
  if (/^(?:drw|dual|y(?:es)?$|true$|1$|x$)/i.test(text)) return 'dual';
  return /^(?:srw|single|no?$|false$|0$)/i.test(text) ? 'single' : null;
}

function readClass(raw: unknown, warnings: Warning[]): string | undefined {
  const weightClass = readWeightClass(raw);
  if (weightClass !== null) return `class_${weightClass}`;
  warnings.push(unreadable('class', raw, 'one weight class, for example class_8'));
  return undefined;
}

/** A list of texts, or one text separated by commas, semicolons, bars or line breaks. */
function readList(raw: unknown, warnings: Warning[], name: WarnedField, { max = 100 }: Entry) {
  const sent = typeof raw === 'string' ? listItems(raw) : raw;
  if (!Array.isArray(sent)) {
    warnings.push(unreadable(name, raw, 'a list of texts'));
    return undefined;
  }
  const items = new Set<string>();
  let dropped = 0;
  for (const each of sent) {
    const item = cut(cleanLine(toText(each) ?? ''), MAX_FEATURE);
    if (item !== '' && items.size < max) items.add(item);
    else if (typeof each !== 'string' || item !== '') dropped++;
  }
  if (dropped > 0) {
    const what = `${dropped} of ${sent.length} ${name}`;
    warnings.push(unreadable(name, raw, `a list of at most ${max} texts`, what));
  }
  return items.size > 0 || sent.length === 0 ? [...items] : undefined;
}

/** The items of a list that was sent as one text. */
export function listItems(text: string): string[] {
  return text.slice(0, 50_000).split(/[,;|\n]/);
}

function shortened(field: string, value: string, max: number, warnings: Warning[]): string {
  if (value.length <= max) return value;
  warnings.push(warn('TEXT_SHORTENED', { field, max }));
  return cut(value, max);
}
