import { LIMITS } from '../../truck/fields.ts';
import { MILES_PER_KM } from '../../truck/text/numbers.ts';
import { findWeightClass, toTruckClass, WEIGHT_CLASSES } from '../../truck/vocabulary/weight-class.ts';
import { type Groups, joinParts, type QueryPart } from './query-parts.ts';

/**
 * Numbers that say what they count, as sentences of the parts of a query: `unit:miles bound:max number:400 scale:1000`.
 * The unit stands before them or behind.
 */
const SUBJECT = '^(?:unit:(?<subject>\\S+) )?';
const number = (end: string) =>
  `(?:(?:unit|sign):(?<${end}Sign>\\S+) )?number:(?<${end}>\\S+) (?:scale:(?<${end}Scale>\\S+) )?`;
const UNIT = '(?:unit:(?<unit>\\S+) )?';
const JOIN = '(?:to|until|(?<=^unit:class .*)or):\\S* ';
/** A bound that another number follows is that number's. */
const NO_NUMBER = '(?!(?:(?:unit|sign):\\S+ )?number:)';
const BEHIND = `(?:(?:(?:or|to): )?bound:(?<bound>\\S+) ${NO_NUMBER})?`;
const SENTENCES = [
  `(?:bound:min\\S* |between: )?${number('low')}(?:unit:(?<lowUnit>\\S+) )?${JOIN}${number('high')}${UNIT}`,
  `(?<not>not: )?(?:bound|until):(?<bound>\\S+) ${number('low')}${UNIT}`,
  // `500,000+ miles`, but not `2019 or newer, miles under 300k`
  `(?!number:(?:19|20)\\d\\d )${number('low')}(?:or: )?bound:(?<bound>\\S+) unit:(?<unit>\\S+) ${NO_NUMBER}`,
  `${number('low')}${UNIT}${BEHIND}`,
].map((sentence) => new RegExp(SUBJECT + sentence));

/** Makes numbers with what they count one part each. */
export const joinQuantities = (parts: readonly QueryPart[]): QueryPart[] =>
  joinParts(parts, SENTENCES, (_, groups) => {
    const filters = toFilters(groups);
    const kind = filters === null ? 'dropped' : 'quantity';
    return filters === undefined ? null : { kind, name: '', filters: filters ?? {} };
  });

const YEAR = /^(?:19[89]|20\d)\d$/;
const MIN_AMOUNT = 1_000;

/** Null for what listings have no field for; undefined for a number that says nothing by itself. */
function toFilters(groups: Groups) {
  const { subject, low, lowScale, high = low, highScale = lowScale, bound = '', not } = groups;
  const isRange = groups.high !== undefined;
  if (low === undefined || high === undefined || YEAR.test(low) !== YEAR.test(high)) return undefined;
  const units = [groups.unit, groups.highSign, groups.lowUnit, groups.lowSign].filter(
    (each) => each !== undefined,
  );
  // `$60,000 and 300k miles` is no range.
  if (isRange && new Set(units.map((each) => (isMoney(each) ? 'dollars' : each))).size > 1) return undefined;
  const unit = units[0] ?? subject ?? '';
  // `40 to 60k`
  const least = toNumber(low, lowScale ?? (Number(low) < 1_000 ? highScale : '1'));
  const most = toNumber(high, highScale);
  const isExact = bound === '' && !isRange;
  const isSure = unit !== '' || highScale !== undefined;
  // Not over is at most.
  const [upper, lower] = not ? ['min', 'max'] : ['max', 'min'];
  const min = bound.startsWith(upper) ? null : Math.min(least, most);
  const max = bound.startsWith(lower) ? null : Math.max(least, most);
  if (unit === 'ignored') return null;
  const step = not ? 0 : Number(bound.slice(3));
  if (unit === 'class') return toClasses(min && min + step, max && max + step);
  // So many pounds are those of a crane, an axle and the like: looked for by their words.
  if (unit === 'pounds' && isExact) return undefined;
  // `Under 26,001 lb` is up to Class 6, `over 26,000` from Class 7.
  if (unit === 'pounds' || unit === 'gross')
    return most < LIMITS.gvwrFloor
      ? null
      : toClasses(
          findWeightClass(max === null ? most + 1 : min),
          findWeightClass(min === null ? most - 1 : max),
        );
  if (!isSure && YEAR.test(low)) {
    const years = Math.trunc(step);
    return isExact ? { year: [most] } : toRange('year', min && min + years, max && max + years);
  }
  if (unit === 'other' || most < MIN_AMOUNT || !(isSure || bound !== '')) return undefined;
  const isMileage = unit === 'miles' || unit === 'km';
  const scale = unit === 'km' ? MILES_PER_KM : 1;
  const range = toRange(
    isMileage ? 'mileage' : 'price',
    isExact ? null : min && min * scale,
    max && max * scale,
  );
  // Canada's dollars are dollars too.
  return isMoney(unit) && unit !== 'dollars' ? { ...range, currency: [unit] } : range;
}

const isMoney = (unit: string) => /^(?:dollars|[A-Z]{3})$/.test(unit);

const toNumber = (number: string, scale = '1') => Number(number) * Number(scale);

/** As the columns hold it: no truck has more. */
const toColumn = (value: number) => Math.min(Math.round(value), 2 ** 31 - 1);

const toRange = (name: 'year' | 'price' | 'mileage', min: number | null, max: number | null) => ({
  ...(min === null ? {} : { [`${name}_min`]: [toColumn(min)] }),
  ...(max === null ? {} : { [`${name}_max`]: [toColumn(max)] }),
});

function toClasses(min: number | null, max: number | null) {
  const rows = WEIGHT_CLASSES.filter((row) => row.class >= (min ?? 0) && row.class <= (max ?? row.class));
  const classes = rows.flatMap((row) => toTruckClass(row.class) ?? []);
  return classes.length > 0 ? { class: classes } : null;
}
