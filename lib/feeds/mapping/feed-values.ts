import { isNested } from '../../truck/is-object.ts';
import { readField } from '../../truck/listing/read-field.ts';
import { splitCountry } from '../../truck/place/countries.ts';
import { splitAddress } from '../../truck/place/place.ts';
import { readState } from '../../truck/place/states.ts';
import { isFieldName, type TruckFields } from '../../truck/record/record.ts';
import { asksToCall, readAmount } from '../../truck/text/amounts.ts';
import { DOLLARS, POUNDS } from '../../truck/text/numbers.ts';
import { flatText, isBlank, isPlaceholder } from '../../truck/text/text.ts';
import { readImages } from '../../truck/text/url.ts';
import { hasVinCharacters, normaliseVin } from '../../truck/vin/vin.ts';
import { readDrive, readStatusWord } from '../../truck/vocabulary/resolve.ts';
import type { FeedTarget } from './columns.ts';

/** What the values of a column say. */

/** A cell may hold a million characters. */
const MAX_TEXT = 1_000;

export const isAbsent = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'string' && isBlank(value));

/** `0`, `$0.00`, `0 km` */
const ZERO = /^[^\d\p{L}]*0[0.,]*\D{0,9}$/u;

/** Zero or blank. Words that ask to call are read where records are. */
export const isNoPrice = (value: unknown) => {
  const text = flatText(value).slice(0, MAX_TEXT);
  return text === '' || ZERO.test(text);
};

/** Whether a value says something of a field, so that no other column of the field is looked at. */
export const saysSomething = (value: unknown) =>
  isNested(value) || !(isAbsent(value) || isNoPrice(value) || isPlaceholder(flatText(value)));

/** What takes a truck off the lot; nothing else is a change of status in a snapshot. */
export function readOffLot(value: unknown) {
  const status = readStatusWord(flatText(value));
  return status === 'available' ? null : status;
}

export const YES = /^(?:y|yes|true|t|1|x|✓)$/i;
export const NO = /^(?:n|no|false|f|0|none|n\/a|na|-)$/i;
/** The day of the sale: `11/02/2026`, `Nov 2, 2026`; not `0000-00-00`, by which systems mean none. */
const DAY =
  /^(?!0{4}|0?1[/.-]0?1[/.-](?:1900|0001)|1900|0001)\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}(?:\D|$)|^[a-z]{3,9}\.? \d{1,2},? \d{4}/i;

/** What a column named `Sold` says. */
export function saysSold(value: unknown) {
  const text = flatText(value);
  return YES.test(text) || /^s[ií]?$/i.test(text) || DAY.test(text) || readOffLot(text) === 'sold';
}

/** `A` for available, `S` for sold: without an A, S is short for stock as well. */
export const areStatusCodes = (values: readonly unknown[]) =>
  /^[a-z](?:,[a-z])*$/i.test(flatText(values)) && /a/i.test(flatText(values));

/** Smaller numbers are flags and counts, or classes. */
const MIN_PRICE = 100;
const MIN_WEIGHT = 1_000;

/** Of fields that the reader of records takes more for than a column should mean, or that it reads together with others. */
const TESTS: Partial<Readonly<Record<FeedTarget, (value: unknown) => boolean>>> = {
  vin: (value) => hasVinCharacters(normaliseVin(flatText(value).slice(0, 40))),
  gvwr: (value) => (readAmount(value, POUNDS)?.value ?? 0) >= MIN_WEIGHT,
  price: (value) =>
    isNoPrice(value) || asksToCall(flatText(value)) || (readAmount(value, DOLLARS)?.value ?? 0) >= MIN_PRICE,
  drivetrain: (value) => readDrive(flatText(value)) !== null,
  images: (value) => (readImages(value).urls ?? []).length > 0,
  state: (value) => readState(value) !== null || splitCountry(flatText(value)).country !== null,
  location: isPlace,
};

function isPlace(value: unknown) {
  const text = flatText(value);
  const { state, country } = splitAddress(text);
  return typeof value === 'object' || state !== null || country !== null;
}

function couldBe(field: FeedTarget, value: unknown) {
  const test = TESTS[field];
  if (test !== undefined) return test(value);
  const fields: Partial<TruckFields> = {};
  if (!isFieldName(field)) return true;
  readField(field, value, fields, []);
  return fields[field] !== undefined;
}

/** Whether at least half of the values that are there could be of the field. No value says nothing. */
export function fits(field: FeedTarget, values: readonly unknown[]) {
  const fitting = values.filter((value) =>
    couldBe(field, typeof value === 'string' ? value.slice(0, MAX_TEXT) : value),
  );
  return fitting.length * 2 >= values.length;
}
