import type { Entry, Reader, Unit } from '../record/entry.ts';
import { FIELDS } from '../record/fields.ts';
import type { FieldName, TruckFields } from '../record/record.ts';
import { readAmount } from '../text/amounts.ts';
import { findCurrency } from '../text/currency.ts';
import {
  DOLLARS,
  FEET,
  HORSEPOWER,
  INCHES,
  MILES,
  POUNDS,
  readNumber,
  roundToInteger,
  type Units,
} from '../text/numbers.ts';
import {
  cleanBlock,
  cleanLine,
  cut,
  groupDigits,
  isPlaceholder,
  quoteValue,
  toText,
  withoutMarkup,
} from '../text/text.ts';
import { readUrl } from '../text/url.ts';
import { readYear } from '../text/year.ts';
import { canonicalBody, chooseBody, findBlockedBody, readBody } from '../vocabulary/body.ts';
import { readCondition } from '../vocabulary/resolve.ts';
import { readWeightClass, readWeightRange, toRatedWeight } from '../vocabulary/weight-class.ts';
import { type Warning, warn, warnUnreadable } from './warn.ts';

/** Reads values of fields as dealers write them. */

/** The year is not among them: an unreadable one rejects the record. */
type WarnedField = Exclude<FieldName, 'year'>;
interface Context {
  name: WarnedField;
  entry: Entry;
  warnings: Warning[];
}
/** Returns the value; null if it cannot be read, undefined if it is left out, with its own warning if any. Never throws. */
type ReadValue = (raw: unknown, context: Context) => unknown;

const line =
  (read: (text: string) => string | null): ReadValue =>
  (raw) =>
    read(cleanLine(toText(raw) ?? ''));

const READERS: Readonly<Record<Exclude<Reader, 'part'>, readonly [read: ReadValue, expected: string]>> = {
  text: [
    (raw, { name }) => (saysNothing(raw) && name !== 'stock_number' ? undefined : readLine(raw)),
    'text',
  ],
  block: [(raw) => withoutMarkup(cleanBlock(toText(raw) ?? '')) || null, 'text'],
  integer: [readInteger, 'a number'],
  list: [readList, 'a list of texts'],
  year: [(raw) => readYear(raw) ?? undefined, 'a year'],
  class: [readClass, 'one weight class, for example class_8'],
  gvwr: [readGvwr, 'a weight in lb'],
  body: [readBodyType, 'a truck body, for example "box truck"'],
  condition: [line(readCondition), 'new or used'],
  url: [line(readUrl), 'an http or https URL'],
  currency: [line(findCurrency), 'USD, CAD or MXN'],
  distance: [line(readDistanceUnit), 'mi or km'],
  wheels: [line(readWheels), 'dual or single'],
};

/** The words of a unit, and the name of its values in warnings. */
const UNITS: Readonly<Record<Unit, readonly [words: Units, expected: string]>> = {
  lb: [POUNDS, 'a weight in lb'],
  usd: [DOLLARS, 'a price, for example 54900 or "CAD 54,900"'],
  mi: [MILES, 'a number of miles'],
  hp: [HORSEPOWER, 'a power in hp'],
  in: [INCHES, 'a length in inches'],
  ft: [FEET, 'a length in feet'],
};

/** Reads a value into `fields`, or leaves it out and says why in `warnings`. Never throws. */
export function readField(
  name: FieldName,
  raw: unknown,
  fields: Partial<TruckFields>,
  warnings: Warning[],
): void {
  const entry: Entry = FIELDS[name];
  const reader = entry.reader ?? entry.kind;
  if (reader === 'part') throw new TypeError(`${name} has no reader`);
  const [read, expected] = READERS[reader];
  const context = { name: name as WarnedField, entry, warnings };
  const value = read(raw, context);
  if (value === null)
    warnings.push(warnUnreadable(context.name, raw, entry.unit ? UNITS[entry.unit][1] : expected));
  else if (value !== undefined)
    // The field's kind in the table determines both the reader and the type.
    (fields as Record<FieldName, unknown>)[name] =
      typeof value === 'string' ? shorten(value, context) : value;
}

const saysNothing = (raw: unknown): boolean =>
  typeof raw === 'string' && (isPlaceholder(raw) || /^\s*other\s*$/i.test(raw));

const readLine = (raw: unknown): string | null => cleanLine(toText(raw) ?? '') || null;

function shorten(value: string, { name, entry: { max = 8_000 }, warnings }: Context): string {
  if (value.length > max) warnings.push(warn('TEXT_SHORTENED', { field: name, max }));
  return cut(value, max);
}

/** Systems write these for an unknown mileage. */
const ALL_NINES = new Set([999_999, 9_999_999]);

function readInteger(raw: unknown, { name, entry, warnings }: Context): number | null {
  const [min, max] = entry.range ?? [0, 2_147_483_647];
  const { value = null, isShortened = false } = readAmount(raw, entry.unit ? UNITS[entry.unit][0] : {}) ?? {};
  if (value === null || value < min || value > max) return null;
  if (entry.unit === 'mi' && ALL_NINES.has(value)) return null;
  // `26,000 under CDL` is a rating, but `under 500,000` is neither a mileage nor a price.
  if (entry.unit !== 'lb' && /\bunder\b/i.test(String(raw))) return null;
  if (isShortened)
    warnings.push(
      warn('NUMBER_REMARK_DROPPED', {
        field: name,
        received: quoteValue(raw),
        value: groupDigits(roundToInteger(value)),
      }),
    );
  return roundToInteger(value);
}

/** Leaves out a range, from which read-record.ts takes the class. */
function readGvwr(raw: unknown, context: Context): number | null | undefined {
  const range = readNumber(raw, POUNDS) === null ? readWeightRange(raw) : null;
  if (range === null) {
    const weight = readInteger(raw, context);
    return weight !== null && saysKilograms(raw) ? toRatedWeight(weight) : weight;
  }
  context.warnings.push(warn('GVWR_RANGE', { received: quoteValue(raw), class: range.class }));
  return undefined;
}

const saysKilograms = (raw: unknown) =>
  typeof raw === 'string' && /k(?:g|ilo)/i.test(raw) && !/lb|po/i.test(raw);

/**
 * Returns the text of a list that `chooseBody` chooses. A text that names no body is left out; read-record.ts keeps it as
 * the description of the body.
 */
function readBodyType(raw: unknown, context: Context): string | null | undefined {
  const bodyText = chooseBody(listBodyTexts(raw));
  if (bodyText === null) return null;
  const text = shorten(bodyText, context);
  if (findBlockedBody(text) !== null || canonicalBody(text) !== null) return text;
  return readBody(text).cab === null ? null : undefined;
}

/** Limits of the texts of the body; no real listing has more. */
const MAX_BODY_TEXTS = 10;
const MAX_BODY_TEXT = 200;

/** Lists the texts of the body, one or several. */
export const listBodyTexts = (raw: unknown): string[] =>
  [raw]
    .flat()
    .slice(0, MAX_BODY_TEXTS)
    .map((text) => cut(cleanLine(toText(text) ?? ''), MAX_BODY_TEXT))
    .filter((text) => text !== '');

function readDistanceUnit(text: string): 'mi' | 'km' | null {
  if (/^k(?:m|il|$)/i.test(text)) return 'km';
  return /^m(?:i|$)/i.test(text) ? 'mi' : null;
}

/** Reads `DRW` and `Dual`, and the `Y` of a column for dual wheels. */
function readWheels(text: string): 'dual' | 'single' | null {
  if (/^(?:drw|dual|y(?:es)?$|true$|1$|x$)/i.test(text)) return 'dual';
  return /^(?:srw|single|no?$|false$|0$)/i.test(text) ? 'single' : null;
}

function readClass(raw: unknown): string | null {
  const weightClass = readWeightClass(raw);
  return weightClass === null ? null : `class_${weightClass}`;
}

const MAX_FEATURE = 200;

/** Reads a list of texts, or one text separated by commas, semicolons, bars or line breaks. */
function readList(raw: unknown, { name, entry: { max = 100 }, warnings }: Context) {
  const rawItems = typeof raw === 'string' ? splitItems(raw) : raw;
  if (!Array.isArray(rawItems)) return null;
  const texts = rawItems.map((item) => (item === '' ? '' : cut(readLine(item) ?? '', MAX_FEATURE)));
  const items = [...new Set(texts.filter((text) => text !== ''))].slice(0, max);
  const itemSet = new Set(['', ...items]);
  const dropped = texts.filter(
    (text, at) => !itemSet.has(text) || (text === '' && typeof rawItems[at] !== 'string'),
  );
  if (dropped.length > 0) {
    const description = `${dropped.length} of ${rawItems.length} ${name}`;
    warnings.push(warnUnreadable(name, raw, `a list of at most ${max} texts`, description));
  }
  return items.length > 0 || rawItems.length === 0 ? items : undefined;
}

/** Splits a list that was sent as one text. */
export const splitItems = (text: string): string[] => text.slice(0, 50_000).split(/[,;|\n]/);
