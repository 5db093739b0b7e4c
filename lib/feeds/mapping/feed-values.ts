import type { FeedTarget } from '../../domain/columns/feed-columns.ts';
import { readCountry, splitCountry } from '../../domain/place/countries.ts';
import { readZip, splitAddress, withoutPlaceLabel } from '../../domain/place/place.ts';
import { readState } from '../../domain/place/states.ts';
import { asksToCall, readAmount } from '../../domain/text/amounts.ts';
import { DOLLARS, MILES, POUNDS, readNumber } from '../../domain/text/numbers.ts';
import { foldKey, isPlaceholder } from '../../domain/text/text.ts';
import { readUrl } from '../../domain/text/url.ts';
import { readYear } from '../../domain/text/year.ts';
import { computeCheckDigit, hasVinCharacters, hasVinLength, normaliseVin } from '../../domain/vin/vin.ts';
import { blockedBody, canonicalBody } from '../../domain/vocabulary/body.ts';
import { driveKind, readCondition, statusIn } from '../../domain/vocabulary/resolve.ts';
import { readWeightClass } from '../../domain/vocabulary/weight-class.ts';

/** What the values of a column say of its meaning. */

/** What comes after it tells nothing of a column, and a cell may hold a million characters. */
const MAX_TEXT = 1_000;

const shortened = (value: unknown): unknown => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : value);

const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(shortened(value)).trim() : '';

const isNumber = (units: Parameters<typeof readNumber>[1], min: number, max: number) => (value: unknown) => {
  const number = readAmount(shortened(value), units)?.value ?? null;
  return number !== null && number >= min && number <= max;
};

/** Zero, blank, or words that mean so. */
export function meansCall(value: unknown): boolean {
  const text = toText(value);
  if (text === '') return true;
  const number = readNumber(shortened(value), DOLLARS);
  if (number !== null) return number === 0;
  return asksToCall(text) || /^0+$/.test(foldKey(text));
}

/** Zero, or what stands in a cell without a price. Other words ask to call, and are the dealer's wish. */
const isNoPrice = (text: string) => isPlaceholder(text) || /^0+$/.test(foldKey(text));

/** Whether a value says something of a field, so that no other column of the field is looked at. */
export function isUsable(field: FeedTarget, value: unknown): boolean {
  const text = toText(value);
  if (value === null || value === undefined || (typeof value !== 'object' && text === '')) return false;
  if (field === 'status') return readOffLot(value) !== null;
  if (field === 'price') return readNumber(shortened(value), DOLLARS) !== 0 && !isNoPrice(text);
  if (field === 'mileage' && readNumber(shortened(value), MILES) === 0) return false;
  return fits(field, [value]);
}

const STATUS_WORDS = /^(?:AVAILABLE|INSTOCK|STOCK|ACTIVE|FORSALE|LIVE|PENDING|INTRANSIT|ONORDER|DISPONIBLE)$/;

/** What takes a truck off the lot; nothing else is a change of status in a snapshot. */
export function readOffLot(value: unknown): 'sold' | 'delisted' | null {
  const status = statusIn(toText(value));
  return status === 'available' ? null : status;
}

export const isSold = (value: unknown): boolean => readOffLot(value) === 'sold';

export const YES = /^(?:y|yes|true|t|1|x|✓)$/i;
/** The day of the sale: `11/02/2026`, `Nov 2, 2026`; not `0000-00-00`, by which systems mean none. */
const DAY =
  /^(?!0{4}|0?1[/.-]0?1[/.-](?:1900|0001)|1900|0001)\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}(?:\D|$)|^[a-z]{3,9}\.? \d{1,2},? \d{4}/i;

/** What a column named `Sold` says. */
export function saysSold(value: unknown): boolean {
  const text = value === true ? 'true' : toText(value);
  return YES.test(text) || /^s[ií]?$/i.test(text) || DAY.test(text) || isSold(text);
}

/** `A` for available, `S` for sold: without an A, S is short for stock as well. */
export const areStatusCodes = (values: readonly unknown[]): boolean =>
  values.every((value) => /^[a-z]$/i.test(toText(value))) &&
  values.some((value) => /^a$/i.test(toText(value)));

/** What stands in a column of currencies and nowhere else: `MN` is Minnesota, too. */
export const isCurrencyCode = (value: unknown): boolean =>
  /^(?:usd|cad|cdn|mxn|mxp|us\$|ca\$|mx\$|pesos|dlls?|d[oó]lares)\.?$/i.test(toText(value));

function isVin(value: unknown): boolean {
  const vin = normaliseVin(toText(value).slice(0, 40));
  return hasVinLength(vin) && hasVinCharacters(vin);
}

/** Nothing else looks like that by chance. */
function isSoundVin(value: unknown): boolean {
  const vin = normaliseVin(toText(value).slice(0, 40));
  return isVin(vin) && /[A-Z]/.test(vin) && /\d{3}$/.test(vin) && computeCheckDigit(vin) === vin.charAt(8);
}

/** VINs by their looks: one in five may be mistyped, also with an O or I that VINs lack. */
export function areVins(values: readonly unknown[]): boolean {
  const sound = values.filter(isSoundVin).length;
  const isLike = (value: unknown) => /^[A-Z0-9]{17}$/.test(normaliseVin(toText(value).slice(0, 40)));
  return sound > 0 && sound * 5 >= values.length * 4 && values.every(isLike);
}

function isPlace(value: unknown): boolean {
  const text = toText(value);
  if (text.startsWith('{')) return true;
  if (typeof value === 'object') return value !== null;
  const bare = withoutPlaceLabel(text);
  // Labelled, a city alone is a place as well.
  const { state, country } = splitAddress(bare);
  return state !== null || country !== null || (bare !== text && /^\p{L}[\p{L} .'-]{2,40}$/u.test(bare));
}

function hasUrl(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === 'string' && /https?:\/\//i.test(value);
}

const short = (most: number) => (value: unknown) => toText(value).length > 0 && toText(value).length <= most;

/** Smaller numbers are flags and counts. */
const MIN_PRICE = 100;

const TESTS: Partial<Readonly<Record<FeedTarget, (value: unknown) => boolean>>> = {
  vin: isVin,
  year: (value) => readYear(value) !== null,
  make: (value) => short(80)(value) && /\p{L}/u.test(toText(value)),
  model: short(80),
  class: (value) => readWeightClass(value) !== null,
  gvwr: isNumber(POUNDS, 1_000, 200_000),
  body_type: (value) => canonicalBody(toText(value)) !== null || blockedBody(toText(value)) !== null,
  condition: (value) => readCondition(toText(value)) !== null,
  price: (value) => meansCall(value) || isNumber(DOLLARS, MIN_PRICE, 10_000_000)(value),
  mileage: isNumber(MILES, 0, 9_999_999),
  drivetrain: (value) => driveKind(toText(value)) !== null,
  color: (value) => short(40)(value) && /^[\p{L}]/u.test(toText(value)),
  horsepower: isNumber({ hp: 1, bhp: 1 }, 20, 3_000),
  wheelbase: isNumber({ in: 1, '"': 1 }, 20, 1_000),
  stock_number: short(60),
  url: (value) => readUrl(value) !== null,
  images: hasUrl,
  state: (value) => readState(value) !== null || splitCountry(toText(value)).country !== null,
  zip: (value) => readZip(value) !== null,
  country: (value) => readCountry(value) !== null,
  latitude: (value) => Math.abs(Number(toText(value))) <= 90,
  longitude: (value) => Math.abs(Number(toText(value))) <= 180,
  location: isPlace,
  status: (value) => STATUS_WORDS.test(foldKey(toText(value))) || readOffLot(value) !== null,
};

/** Whether at least half of the values that are there could be of the field. No value says nothing. */
export function fits(field: FeedTarget, values: readonly unknown[]): boolean {
  const test = TESTS[field];
  if (!test || values.length === 0) return true;
  if (field === 'status' && values.some((value) => readOffLot(value) !== null)) return true;
  return values.filter(test).length * 2 >= values.length;
}
