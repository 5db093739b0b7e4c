import { LIMITS } from '../../contract/fields.ts';
import { MILES_PER_KM } from '../text/numbers.ts';
import { truckClass, WEIGHT_CLASSES, weightClassFor } from '../vocabulary/weight-class.ts';
import type { QueryFilters } from './query-filters.ts';
import type { QueryPart } from './query-parts.ts';

/** Numbers that say what they count: `[unit] [bound] amount [to amount] [bound]`, written as the kinds of their parts. */

const amount = (end: string) =>
  `(?:(?:unit|sign):(?<${end}Sign>\\S+) )?number:(?<${end}>\\S+) (?:scale:(?<${end}Scale>\\S+) )?(?:unit:(?<${end}Unit>\\S+) )?`;
const SUBJECT = '^(?:unit:(?<subject>\\S+) )?';
const RANGE = new RegExp(
  `${SUBJECT}(?:(?:bound:min\\S*|between:) )?${amount('low')}(?:to|until|(?<=^unit:class .*)or):\\S* ${amount('high')}`,
);
/** A bound that another number follows is that number's. */
const BEHIND = '(?:(?:(?:or|to): )?bound:(?<behind>\\S+) (?!(?:(?:unit|sign):\\S+ )?number:))?';
const SINGLE = new RegExp(`${SUBJECT}(?:(?:bound|until):(?<before>\\S+) )?${amount('low')}${BEHIND}`);

/** Numbers with what they count in one part each. */
export function joinQuantities(parts: readonly QueryPart[]): QueryPart[] {
  const joined: QueryPart[] = [];
  for (let index = 0, count = 1; index < parts.length; index += count) {
    const rest = parts.slice(index);
    const quantity = readQuantity(rest);
    const [first] = rest;
    count = quantity?.count ?? 1;
    if (first === undefined) break;
    const { at } = first;
    joined.push(
      quantity === null ? first : { ...quantity.meaning, at, end: rest[count - 1]?.end ?? at, keys: [] },
    );
  }
  return joined;
}

function readQuantity(parts: readonly QueryPart[]) {
  const sentence = parts.map(({ kind, name }) => `${kind}:${name} `).join('');
  for (const pattern of [RANGE, SINGLE]) {
    const match = pattern.exec(sentence);
    if (match?.groups === undefined) continue;
    const count = match[0].split(' ').length - 1;
    const filters = toFilters(match.groups, parts[count]?.keys[0] ?? '');
    const kind = filters === null ? 'dropped' : 'quantity';
    if (filters !== undefined) return { meaning: { kind, name: '', filters: filters ?? {} }, count };
  }
  return null;
}

/** Less by itself is a down payment or the price of a part. */
const MIN_ALONE = 5_000;
const MIN_AMOUNT = 1_000;
/** Smaller numbers that do not say what they count may be models. */
const MIN_UNSURE = 2_200;
const MIN_AXLE_POUNDS = 10_000;

/** Null for what listings have no field for; undefined for a number that says nothing by itself. */
function toFilters(groups: Readonly<Record<string, string | undefined>>, next: string) {
  const { subject, low = '', lowScale, high, highScale, before, behind } = groups;
  const lowUnit = groups.lowUnit ?? groups.lowSign ?? subject;
  const highUnit = groups.highUnit ?? groups.highSign ?? subject;
  const unit = highUnit ?? lowUnit ?? '';
  const bound = before ?? behind ?? '';
  const isYears = isYear(low, lowScale ?? lowUnit);
  const isOneUnit = (lowUnit ?? unit) === unit && (highUnit ?? groups.lowUnit) === highUnit;
  const isOneKind = isOneUnit && isYears === isYear(high ?? low, highScale ?? highUnit);
  if (high !== undefined && !isOneKind) return undefined;
  const ends = [toNumber(low, lowScale, highScale), toNumber(high ?? low, highScale, lowScale)];
  const [least = 0, most = 0] = ends.sort((a, b) => a - b);
  const min = bound.startsWith('max') ? null : least;
  const max = bound.startsWith('min') ? null : most;
  const step = Number(bound.slice(3));
  const scale = lowScale ?? highScale;
  const isExact = bound === '' && high === undefined;
  if (unit === 'ignored') return null;
  if (unit === 'axle') return most >= MIN_AXLE_POUNDS ? null : undefined;
  // Inches; 389 is a model.
  if (unit === 'cab_to_axle') return most % 6 === 0 && most >= 60 && most <= 204 ? null : undefined;
  if (unit === 'class') return toClasses(min, max);
  if (unit === 'pounds' && (PART.test(next) || most < LIMITS.gvwrFloor))
    return isExact && scale === undefined ? undefined : null;
  if (unit === 'pounds' || unit === 'gross') return toWeightClasses(min, max);
  if (isYears) return isExact ? { year: [most] } : toRange('year', min && min + step, max && max + step);
  const isSure = unit !== '' || scale !== undefined;
  const isEnough = isSure ? most >= (isExact ? MIN_ALONE : MIN_AMOUNT) : bound !== '' && most >= MIN_UNSURE;
  if (unit === 'other' || !isEnough) return undefined;
  if (unit === 'miles') return toRange('mileage', isExact ? null : min, max);
  if (unit === 'km')
    return toRange('mileage', isExact || min === null ? null : min * MILES_PER_KM, max && max * MILES_PER_KM);
  // Canada's dollars are dollars too.
  const currency = /^[A-Z]{3}$/.test(unit) ? { currency: [unit] } : {};
  return { ...toRange('price', isExact ? null : min, max), ...currency };
}

const isYear = (number: string, unit: string | undefined) =>
  unit === undefined && /^(?:19[89]|20\d)\d$/.test(number);

/** `40 to 60k` */
const toNumber = (number: string, scale = '1', otherScale = scale) =>
  Math.round(Number(number) * Number(Number(number) < 1_000 && scale === '1' ? otherScale : scale));

const toRange = (
  name: 'year' | 'price' | 'mileage',
  min: number | null,
  max: number | null,
): QueryFilters => ({
  ...(min === null ? {} : { [`${name}_min`]: [Math.round(min)] }),
  ...(max === null ? {} : { [`${name}_max`]: [Math.round(max)] }),
});

function toClasses(min: number | null, max: number | null): QueryFilters | null {
  const rows = WEIGHT_CLASSES.filter((row) => row.class >= (min ?? 0) && row.class <= (max ?? row.class));
  const classes = rows.flatMap((row) => truckClass(row.class) ?? []);
  return classes.length > 0 ? { class: classes } : null;
}

/** What of a truck lifts, carries or bears so many pounds. */
const PART =
  /^(?:crane|lift|winch|payload|capacity|boom|hoist|axle|front|rear|steer|spring|suspension|tow|pull)/;

/** `under 26,001 lb` is up to Class 6, `over 26,000` from Class 7. */
const toWeightClasses = (min: number | null, max: number | null) =>
  toClasses(
    weightClassFor(max === null && min !== null ? min + 1 : min),
    weightClassFor(min === null && max !== null ? max - 1 : max),
  );
