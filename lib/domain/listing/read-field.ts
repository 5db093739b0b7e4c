import { FIELDS, type FieldName, type TruckFields } from '../../contract/fields.ts';
import {
  DOLLARS,
  HORSEPOWER,
  INCHES,
  MILES,
  POUNDS,
  readNumber,
  type Units,
  whole,
} from '../text/numbers.ts';
import { cleanBlock, cleanLine, cut, isBlank, quoted, textOf } from '../text/text.ts';
import { readUrl } from '../text/url.ts';
import { readYear } from '../text/year.ts';
import { blockedBody } from '../vocabulary/body.ts';
import { readCondition } from '../vocabulary/resolve.ts';
import { readWeightClass, readWeightRange } from '../vocabulary/weight-class.ts';
import { unreadable, type Warning, warn } from './warn.ts';

/** Reading one value of a field as a dealer writes it. */

type NameOf<Kind> = {
  [Name in FieldName]: (typeof FIELDS)[Name]['kind'] extends Kind ? Name : never;
}[FieldName];
type TextName = NameOf<'text'>;
/** An unreadable year is no warning: it rejects the record. */
type IntegerName = Exclude<NameOf<'integer'>, 'year'>;

/** Puts the value into `fields`, or leaves it out and says why in `warnings`. Never throws. */
export type FieldReader = (raw: unknown, fields: Partial<TruckFields>, warnings: Warning[]) => void;

const MAX_FEATURE = 200;

export const FIELD_READERS: Readonly<Record<FieldName, FieldReader>> = {
  year: (raw, fields) => {
    const year = readYear(raw);
    if (year !== null) fields.year = year;
  },
  make: text('make', (sent) => sent),
  model: text('model', (sent) => sent),
  trim: text('trim', (sent) => sent),
  class: readClass,
  gvwr: readGvwr,
  body_type: readBody,
  condition: text('condition', readCondition, 'new or used'),
  price: integer(
    'price',
    DOLLARS,
    [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    'price in US dollars',
  ),
  mileage: integer('mileage', MILES, [0, 9_999_999], 'number of miles'),
  color: text('color', (sent) => sent),
  fuel_type: text('fuel_type', (sent) => sent),
  engine: text('engine', (sent) => sent),
  horsepower: integer('horsepower', HORSEPOWER, [1, 10_000], 'power in hp'),
  transmission: text('transmission', (sent) => sent),
  drivetrain: text('drivetrain', (sent) => sent),
  cab: text('cab', (sent) => sent),
  wheelbase: integer('wheelbase', INCHES, [1, 1_000], 'length in inches'),
  stock_number: text('stock_number', (sent) => sent),
  description: readDescription,
  url: text('url', readUrl, 'an http or https URL'),
  features: readFeatures,
};

function text(name: TextName, read: (sent: string) => string | null, expected = 'text'): FieldReader {
  const { max } = FIELDS[name];
  return (raw, fields, warnings) => {
    const sent = cleanLine(textOf(raw) ?? '');
    const value = sent === '' ? null : read(sent);
    if (value === null) warnings.push(unreadable(name, raw, expected));
    else fields[name] = shortened(name, value, max, warnings);
  };
}

function integer(
  name: IntegerName,
  units: Units,
  [min, max]: [number, number],
  expected: string,
): FieldReader {
  return (raw, fields, warnings) => {
    const value = readNumber(raw, units);
    if (value === null || value < min || value > max) warnings.push(unreadable(name, raw, `a ${expected}`));
    else fields[name] = whole(value);
  };
}

const readGvwrNumber = integer('gvwr', POUNDS, [Number.NEGATIVE_INFINITY, 2_000_000], 'weight in lb');

/** A range is no rating to store; the record's reader takes the class from it. */
function readGvwr(raw: unknown, fields: Partial<TruckFields>, warnings: Warning[]): void {
  const range = readNumber(raw, POUNDS) === null ? readWeightRange(raw) : null;
  if (range === null) {
    readGvwrNumber(raw, fields, warnings);
    return;
  }
  warnings.push(warn('GVWR_RANGE', { received: quoted(raw), class: range.class }));
}

const readBodyText = text('body_type', (sent) => sent);

/** Of a list the consumer body, if there is one, else the first text: a list is no way around the rule. */
function readBody(raw: unknown, fields: Partial<TruckFields>, warnings: Warning[]): void {
  const items = Array.isArray(raw) ? raw.slice(0, 100) : [];
  const texts = items.filter((item) => typeof item === 'string' && !isBlank(item));
  readBodyText(texts.find((item) => blockedBody(item) !== null) ?? texts[0] ?? raw, fields, warnings);
}

function readClass(raw: unknown, fields: Partial<TruckFields>, warnings: Warning[]): void {
  const weightClass = readWeightClass(raw);
  if (weightClass === null) warnings.push(unreadable('class', raw, 'one weight class, for example class_8'));
  else fields.class = `class_${weightClass}`;
}

function readDescription(raw: unknown, fields: Partial<TruckFields>, warnings: Warning[]): void {
  const value = cleanBlock(textOf(raw) ?? '');
  if (value === '') warnings.push(unreadable('description', raw, 'text'));
  else fields.description = shortened('description', value, FIELDS.description.max, warnings);
}

/** A list of texts, or one text separated by commas, semicolons, bars or line breaks. */
function readFeatures(raw: unknown, fields: Partial<TruckFields>, warnings: Warning[]): void {
  const items = typeof raw === 'string' ? raw.slice(0, 50_000).split(/[,;|\n]/) : raw;
  if (!Array.isArray(items)) {
    warnings.push(unreadable('features', raw, 'a list of texts'));
    return;
  }
  const features = new Set<string>();
  let dropped = 0;
  for (const item of items) {
    const feature = cut(cleanLine(textOf(item) ?? ''), MAX_FEATURE);
    if (feature !== '' && features.size < FIELDS.features.max) features.add(feature);
    else if (typeof item !== 'string' || feature !== '') dropped++;
  }
  if (dropped > 0) {
    const what = `${dropped} of ${items.length} features`;
    warnings.push(unreadable('features', raw, `a list of at most ${FIELDS.features.max} texts`, what));
  }
  if (features.size > 0 || items.length === 0) fields.features = [...features];
}

function shortened(field: string, value: string, max: number, warnings: Warning[]): string {
  if (value.length <= max) return value;
  warnings.push(warn('TEXT_SHORTENED', { field, max }));
  return cut(value, max);
}
