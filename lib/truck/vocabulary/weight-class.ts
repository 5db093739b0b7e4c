import type { TruckClass } from '../fields.ts';
import { TRUCK_CLASSES } from '../fields.ts';
import { toNormalForm, toText } from '../text/text.ts';

/** Weight classes by GVWR in lb, lower bound inclusive. Source: FHWA classes (DOE AFDC chart 10380), NTEA, vPIC. */
export const WEIGHT_CLASSES = [
  { class: 1, min: 0, max: 6000 },
  { class: 2, min: 6001, max: 10000 },
  { class: 3, min: 10001, max: 14000 },
  { class: 4, min: 14001, max: 16000 },
  { class: 5, min: 16001, max: 19500 },
  { class: 6, min: 19501, max: 26000 },
  { class: 7, min: 26001, max: 33000 },
  { class: 8, min: 33001, max: null },
] as const;

/** 1 to 8 as digits, Roman numerals and words. */
const NUMERALS = [
  ['i', 'one', 'uno', 'une?'],
  ['ii', 'two', 'dos', 'deux'],
  ['iii', 'three', 'tres', 'trois'],
  ['iv', 'four', 'cuatro', 'quatre'],
  ['v', 'five', 'cinco', 'cinq'],
  ['vi', 'six', 'seis'],
  ['vii', 'seven', 'siete', 'sept'],
  ['viii', 'eight', 'ocho', 'huit'],
].map((words, index) => `0?${index + 1}|${words.join('|')}`);
const NUMERAL_READERS = NUMERALS.map((words) => new RegExp(`^(?:${words})$`));
const NUMERAL = `(${NUMERALS.join('|')})`;
const CLASS = 'cl(?:asse?|ase)';
/** Between the word and its number: `Class: 6`, `Class No. 6`, `Classe n° 6`, `Class (6`. */
const SIGN = '[ .:/(-]*(?:n(?:[ro°]|um(?:ber)?)[. ]*)?';
/** Units after a number that is not a class: cylinders, doors, feet, hitches, licenses, decimals. */
const COUNTED =
  ' ?-? ?(?:x ?\\d|\\.\\d|(?:cyl(?:inder)?s?|doors?|dr|axles?|speeds?|spd|sp|ft|feet|foot|inch|in|yd|yards?|pass(?:enger)?s?|wheel(?:s|er)?|owners?|years?|hitch|receiver|licen[cs]es?|drivers?)\\b|["\'])';
const DUTY =
  '(?:lt|lgt|light|med|medium|heavy|severe|ld|md|hd|liger[oa]s?|livian[oa]s?|median[oa]s?|pesad[oa]s?|l[eé]g[eè]re?s?|moyen(?:ne)?s?|lourde?s?)(?![a-zè])';
/**
 * `8`, `8.0`, `2b`, `class_8`, `Class VIII`, `Class Six`, `Class 6: 19,501 - 26,000 lb`, `2 - 6,001-10,000 lb`, `CL8 truck`,
 * `Clase 8`, `6 - Medium`, `Light - 2`, `HD 8`, `8 Class`.
 */
const WHOLE = new RegExp(
  `^(?:(?:truck|gvwr|weight|fhwa|vehicle)[ -]|${DUTY}(?:[ -]duty)?[ /:(-]+)?(?:(?:${CLASS}|cls|cl)${SIGN})?${NUMERAL}(?:\\.0*)?[ -]?[a-h]?(?: ?(?:\\)|[:(].*|trucks?|${CLASS}|- ?\\d{1,2}[, ]?\\d{3}\\D.*|[-,./(]? ?${DUTY}(?![^(]*\\d).*))?$`,
);
/** Between the ends of a range. */
const TO = ' ?(?:[-/&,;+>]+|\\.{2,3}|to|thru|through|and|or|y|o|u|al?|et|ou|à) ?';
/** Words for an open range of classes; before a weight or a license they are not: `Class 6, up to 26,000 lb`. */
const LIMIT =
  '(?:up|above|higher|over|below|under|lower|less|more|m[aá]s|mayor|menos|menor|plus|moins)\\b(?! ?(?:to|than)? ?(?:\\d[\\d,]|cdl))';
/** A class named inside a longer text, `Heavy Duty (Class 8)`, `Class 8 - Day Cab`; never one end of a range. */
const INSIDE = new RegExp(
  `(?<!(?:below|under|over|above|than|not|non?|licen[cs]e|[<>≥≤]/?)[ -]?)\\b${CLASS}${SIGN}${NUMERAL}(?: ?[a-h](?! [1-8]\\b))?\\b(?!${COUNTED})(?! ?\\+|${TO}(?:(?:${NUMERALS.join('|')})[a-h]?\\b(?!${COUNTED})|${LIMIT}))`,
  'g',
);

const CONSUMER_END = '(?:0?[12][a-h]?|ii?|one|two|uno|dos|une?|deux)';
const CLASSES = `${CLASS}s? ?`;
/** Ranges below Class 3, and their name (FHWA). */
const CONSUMER = new RegExp(
  `^(?:${CLASSES})?${CONSUMER_END}(?:${TO}(?:${CLASSES})?${CONSUMER_END})+$|(?<!(?:not|non?) )\\b${CLASSES}${CONSUMER_END}(?:${TO}(?:${CLASSES})?${CONSUMER_END})+\\b(?!${TO}\\d|[\\d.])|^light[ -]?duty(?: (?:trucks?|vehicles?))?$`,
);

/**
 * Reads a class, 1 to 8, as dealers write it; 2 for both consumer classes (`1-2`, `light duty`). Null if it is unreadable or
 * ambiguous (`medium duty`, `7/8`).
 */
export function readWeightClass(raw: unknown): number | null {
  const line = toText(raw);
  if (line === null || line.length > 200) return null;
  if (/^class_[1-8]$/.test(line)) return Number(line.slice(6));
  const text = toNormalForm(line, 'NFKC')
    .toLowerCase()
    .replace(/[\s_#]+/g, ' ')
    .replace(/[\p{Pd}−]/gu, '-')
    .replace(/[|\\=~]/g, '/')
    .replace(/\[/g, '(')
    .trim();
  const match = WHOLE.exec(text);
  if (match) return readNumeral(match[1]);
  const classes = new Set([...text.matchAll(INSIDE)].map((match) => readNumeral(match[1])));
  if (classes.size === 1) return [...classes][0] ?? null;
  // `Class 1 - Class 2` names both consumer classes.
  const isConsumer = classes.size > 0 ? Math.max(...classes) <= 2 : CONSUMER.test(text);
  return isConsumer ? 2 : null;
}

const POUNDS_TO_POUNDS = /(?<![\d.])(\d{4,6}) ?(?:lbs?\.?)? ?(?:[-–]|to) ?(\d{4,6})(?![\d.])(?! ?kg)/;

/** Finds the class of a GVWR in lb; null for null and below 0. */
export function findWeightClass(gvwr: number | null): number | null {
  if (gvwr === null) return null;
  return WEIGHT_CLASSES.findLast(({ min }) => gvwr >= min)?.class ?? null;
}

/**
 * Reads a weight that is a range (`Class 6: 19,501 - 26,000 lb`, `19501-26000 lbs`) as a class with its lower bound in lb;
 * null if it does not lie within one class.
 */
export function readWeightRange(raw: unknown): { class: number; min: number } | null {
  if (typeof raw !== 'string' || raw.length > 200) return null;
  const text = toNormalForm(raw, 'NFKC')
    .toLowerCase()
    .replace(/,(?=\d{3})/g, '');
  const [, low, high] = POUNDS_TO_POUNDS.exec(text) ?? [];
  const isNamed = low === undefined && /^\s*class[ _-]?\d/.test(text);
  const weightClass = isNamed ? readWeightClass(raw) : findWeightClass(Number(low));
  if (weightClass === null || (high !== undefined && findWeightClass(Number(high)) !== weightClass))
    return null;
  return { class: weightClass, min: WEIGHT_CLASSES.find((row) => row.class === weightClass)?.min ?? 0 };
}

/** The most that rounding to kilograms may add to a rating: 15,000 kg means 33,000 lb. */
const ROUNDING = 0.0025;

/** Rounds a weight converted from kilograms down to the upper end of a class, where most trucks are rated. */
export function toRatedWeight(pounds: number): number {
  const ends = WEIGHT_CLASSES.flatMap((row) => (row.class < 3 || row.max === null ? [] : [row.max]));
  return ends.find((end) => pounds > end && pounds <= end * (1 + ROUNDING)) ?? pounds;
}

/** `class_3` to `class_8`; null for the consumer classes 1 and 2, and for none. */
export function toTruckClass(weightClass: number | null): TruckClass | null {
  return TRUCK_CLASSES.find((name) => name === `class_${weightClass}`) ?? null;
}

function readNumeral(text = ''): number {
  return NUMERAL_READERS.findIndex((reader) => reader.test(text)) + 1;
}
